const kinds = ["choice", "cloze", "short"] as const;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const answerMinLength = 2;
/** Words that a question shows of its sentence. */
const shownWords = 3;
const choicesMax = 3;

interface Row {
  id: string;
  words: string[];
  /** The first of the longest words that occurs once. */
  answer: string;
}

function readRow(line: string): Row[] {
  const [, id = "", text = ""] = /^(r\d+): (.*)$/.exec(line) ?? [];
  const words = [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
  const lower = words.map((word) => word.toLowerCase());
  const [answer = ""] = words
    .filter((word) => lower.filter((one) => one === word.toLowerCase()).length === 1)
    .toSorted((a, b) => b.length - a.length);
  return id && words.length > shownWords && answer.length >= answerMinLength
    ? [{ id, words, answer }]
    : [];
}

/**
 * A question on each sentence of several words, as JSON on a line each: the three kinds in turn. The answer is its longest word.
 * `mark` says that nothing here has understood it.
 */
export function createQuiz(text: string, mark: string): string {
  const rows = text.split("\n").flatMap(readRow);
  return rows
    .map(({ id, words, answer }, at) => {
      const kind = kinds[at % kinds.length] ?? "cloze";
      const others = rows
        .map((row) => row.answer)
        .filter((one, index, all) => all.indexOf(one) === index && !isPart(one, answer))
        .slice(0, choicesMax);
      const shown = words.filter((word) => word !== answer).slice(0, shownWords);
      return JSON.stringify({
        kind: kind === "choice" && others.length < 2 ? "cloze" : kind,
        rows: [id],
        prompt: `${mark} ${id}, ${shown.join(" ")} …?`,
        answer,
        ...(kind === "choice" && { others }),
      });
    })
    .join("\n");
}

const isPart = (a: string, b: string) =>
  a.toLowerCase().includes(b.toLowerCase()) || b.toLowerCase().includes(a.toLowerCase());

const findBlock = (user: string, tag: string): string =>
  new RegExp(`<${tag}>\\n(.*?)\\n</${tag}>`, "s").exec(user)?.[1]?.toLowerCase() ?? "";

/** As JSON: right if it has the right answer in it. */
export function gradeDemoAnswer(user: string, mark: string): string {
  const isRight = findBlock(user, "student").includes(findBlock(user, "agreed_answer"));
  return JSON.stringify({
    verdict: isRight ? "right" : "wrong",
    reason: `${mark} ${isRight ? "=" : "≠"} ${findBlock(user, "agreed_answer")}`,
  });
}
