import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SpokenLanguage } from "#shared/languages.ts";
import { addTokens, createPending, endSentence, type Sentence } from "#shared/segmentation.ts";
import { findSentences } from "#shared/sentences.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import {
  joinSentences,
  readSpokenSentences,
  testLanguages,
} from "#tests/fixtures/spoken-sentences.ts";

const leastScore = 0.98;
/** `text` in pieces that end before the characters at `cuts`. */
function cutText(text: string, cuts: readonly number[]): string[] {
  const characters = Array.from(text);
  const places = [...new Set(cuts.map((cut) => cut % characters.length))].sort((a, b) => a - b);
  return [0, ...places].map((place, n) => characters.slice(place, places[n]).join(""));
}

/** The ends of rows in `text` that arrives in `pieces`. */
function listRowEnds(text: string, pieces: readonly string[], language: SpokenLanguage): number[] {
  let pending = createPending(0, language);
  const sentences: Sentence[] = [];
  for (const piece of pieces) {
    const added = addTokens(pending, [{ text: piece, is_final: true }], {
      finalMs: 0,
      endpoint: false,
      diarization: false,
      interim: "",
    });
    sentences.push(...added.sentences);
    pending = added.pending;
  }
  sentences.push(...endSentence(pending).sentences);
  let from = 0;
  return sentences.map(({ original }) => {
    from = text.indexOf(original, from) + original.length;
    return from;
  });
}

function score(found: readonly number[], expected: readonly number[]) {
  const right = found.filter((end) => expected.includes(end)).length;
  const [precision, recall] = [right / found.length, right / expected.length];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

function print(name: string, found: readonly number[], expected: readonly number[], text: string) {
  const { precision, recall, f1 } = score(found, expected);
  const [p, r, f] = [precision, recall, f1].map((value) => value.toFixed(3));
  const wrong = [
    ...found.filter((end) => !expected.includes(end)).map((end) => ["not", end] as const),
    ...expected.filter((end) => !found.includes(end)).map((end) => ["missed", end] as const),
  ].map(
    ([kind, end]) =>
      `${kind}: ${text.slice(Math.max(0, end - 20), end)}|${text.slice(end, end + 12)}`,
  );
  process.stdout.write(
    `${name}: ${expected.length} boundaries, precision ${p}, recall ${r}, F1 ${f} ${wrong.join("; ")}\n`,
  );
  return f1;
}

const cuts = fc.array(fc.nat({ max: 100_000 }), { maxLength: 800, size: "max" });

describe.each(testLanguages)("sentences in %s", (language) => {
  const { sentences } = readSpokenSentences(language);
  const { text, ends } = joinSentences(sentences, language);

  test("of a whole text are found", () => {
    expect(sentences.length).toBeGreaterThanOrEqual(40);
    const found = findSentences(text, language)
      .map(({ to }) => to)
      .slice(0, -1);
    expect(print(`${language}, whole`, found, ends, text)).toBeGreaterThanOrEqual(leastScore);
  });

  test("of tokens are found, however the text is divided", () => {
    const whole = findSentences(text, language).map(({ to }) => to);
    fc.assert(
      fc.property(cuts, (places) => {
        expect(listRowEnds(text, cutText(text, places), language)).toEqual(whole);
      }),
      { numRuns: countRuns(80) },
    );
    const found = listRowEnds(text, Array.from(text), language).slice(0, -1);
    expect(print(`${language}, tokens`, found, ends, text)).toBeGreaterThanOrEqual(leastScore);
  });
});

/** Text with much that rules look at. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."。」』）”.?!…؟। «»„“‚‘’\"'(3Aaあ漢가कع—-",
        "...",
        "z. B. ",
        "Dr. ",
        "usw. ",
        "と",
        "他说",
      ),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join("").replaceAll("\0", ""));

test.each(testLanguages)(
  "in %s, the division of any text into tokens changes no row",
  (language) => {
    fc.assert(
      fc.property(anyText, cuts, (text, places) => {
        fc.pre(text !== "");
        const rows = (pieces: string[]) => listRowEnds(text, pieces, language);
        expect(rows(cutText(text, places))).toEqual(rows([text]));
        expect(rows(Array.from(text))).toEqual(rows([text]));
      }),
      { numRuns: countRuns(400) },
    );
  },
);

test("a Greek question ends with a semicolon", () => {
  const text = "Τι είναι η εντροπία; Είναι ένα μέτρο· «Γιατί;» ρώτησε κάποιος. Γιατί; Θα δούμε.";
  const sentences = findSentences(text, "el").map(({ from, to }) => text.slice(from, to));
  expect(sentences).toEqual([
    "Τι είναι η εντροπία;",
    "Είναι ένα μέτρο· «Γιατί;» ρώτησε κάποιος.",
    "Γιατί;",
    "Θα δούμε.",
  ]);
  expect(listRowEnds(text, Array.from(text), "el")).toHaveLength(4);
  expect(findSentences("Licht; Schatten; Farbe.", "de")).toHaveLength(1);
});

describe("abbreviations, initials and numbers", () => {
  const cases: [SpokenLanguage, string[]][] = [
    ["en", ["We met Dr. Smith, e.g. in Fig. 3.", "Then we left."]],
    ["en", ["The answer is 42.", "Next question."]],
    ["en", ["She left the U.S.", "The trip was long."]],
    ["en", ["In the U.S. Congress this is law.", "It passed."]],
    ["en", ["J. R. R. Tolkien wrote it.", "George W. Bush did not."]],
    ["en", ["We take vitamin C.", "It is good for us."]],
    ["en", ["That was plan b.", "Then comes plan c."]],
    ["en", ["She has an M.D. and a Ph.D. in physics.", "Both work."]],
    ["en", ["Did she say no.", "Yes, she did."]],
    ["en", ["Take No. 5 and add it.", "That is all."]],
    ["en", ["Gen. Lee climbed Mt. Everest on Jan. 5 of that year.", "They spoke."]],
    ["en", ["We added it in Oct.", "Before that it was there."]],
    ["en", ["It was good for you and I.", "Smith disagreed."]],
    ["en", ["A. The first point is this.", "B. The second is not."]],
    ["de", ["Das ist Dr. Müller, z. B. in Abb. 3.", "Dann gehen wir."]],
    ["de", ["Die Antwort ist 42.", "Nächste Frage."]],
    ["de", ["Am 3. Mai begann es.", "Im 19. Jahrhundert auch."]],
    ["fr", ["M. Dupont est là, p. ex. à la fig. 3.", "Puis nous partons."]],
    ["es", ["El Sr. López tiene la fig. 3.", "La respuesta es 42.", "Siguiente pregunta."]],
    ["ru", ["См. рис. 3.", "Ответ 42.", "Следующий вопрос."]],
    ["nl", ["Dhr. Jansen staat bijv. in afb. 3.", "Het antwoord is 42.", "Volgende vraag."]],
    ["pl", ["Prof. Nowak jest np. na rys. 3.", "Odpowiedź to 42.", "Następne pytanie."]],
    ["cs", ["Prof. Novák je např. na obr. 3.", "Odpověď je 42.", "Další otázka."]],
    ["sv", ["Dr. Berg syns t.ex. i fig. 3.", "Svaret är 42.", "Nästa fråga."]],
    ["tr", ["Dr. Kaya, örn. Şek. 3.", "Cevap 42.", "Sonraki soru."]],
    ["uk", ["Див. рис. 3.", "Відповідь 42.", "Наступне питання."]],
    ["en", ["See Eq. (3) and Sec. 4.2 for details.", "It holds vs. the old one."]],
    ["en", ["Smith et al. (2019) show this.", "Cf. p. 12 and pp. 3-5."]],
    ["en", ["We meet at 5 p.m. on Monday.", "The lecture starts at 9 a.m.", "Please be there."]],
    ["en", ["Use Python 3.", "It is faster.", "In the year 2024.", "A new era began."]],
    ["it", ["Il dott. Rossi è nella fig. 3.", "La risposta è 42.", "Prossima domanda."]],
    ["pt", ["O Dr. Silva está na fig. 3, p. ex. aqui.", "A resposta é 42.", "Próxima pergunta."]],
    ["fr", ["Mme. Curie et le Dr. Joly, cf. p. 12.", "La réponse est 42.", "Question suivante."]],
    ["da", ["Dr. Berg ses f.eks. i fig. 3.", "Svaret er 42.", "Næste spørgsmål."]],
    ["no", ["Dr. Berg ses bl.a. i fig. 3.", "Svaret er 42.", "Neste spørsmål."]],
    ["fi", ["Tri Virtanen, vrt. kuva 3.", "Vastaus on 42.", "Seuraava kysymys."]],
    ["hu", ["Dr. Nagy pl. a 3. ábrán látható.", "A válasz 42.", "Következő kérdés."]],
    ["ro", ["Dl. Popescu apare de ex. în fig. 3.", "Răspunsul este 42.", "Următoarea întrebare."]],
    ["id", ["Dr. Budi tampak, mis. pada gbr. 3.", "Jawabannya 42.", "Pertanyaan berikutnya."]],
    ["vi", ["TS. Nguyễn ở hình 3.", "Đáp án là 42.", "Câu hỏi tiếp theo."]],
    ["el", ["Ο κ. Παπάς είναι π.χ. στην εικ. 3.", "Η απάντηση είναι 42.", "Επόμενη ερώτηση."]],
    ["bg", ["Вж. фиг. 3, т.е. горе.", "Отговорът е 42.", "Следващ въпрос."]],
    ["sk", ["Prof. Novák je napr. na obr. 3.", "Odpoveď je 42.", "Ďalšia otázka."]],
    ["sr", ["Проф. Петровић је нпр. на сл. 3.", "Одговор је 42.", "Следеће питање."]],
    ["hr", ["Prof. Horvat je npr. na sl. 3.", "To je kruška, jabuka i sl.", "Sljedeće pitanje."]],
    ["ca", ["El Sr. Puig és, p. ex., a la fig. 3.", "La resposta és 42.", "Pregunta següent."]],
    ["ko", ["정답은 42.", "다음 질문입니다."]],
    ["ko", ["2024. 5. 3. 금요일에 시작합니다.", "다음 질문입니다."]],
  ];

  test.each(cases)("are told from the ends of sentences, in %s: %s", (language, sentences) => {
    const text = sentences.join(" ");
    const found = findSentences(text, language).map(({ from, to }) => text.slice(from, to));
    expect(found).toEqual(sentences);
    // As the words of a live transcript come in.
    const ends = listRowEnds(text, text.split(/(?=\s)/), language);
    expect(ends).toEqual(listRowEnds(text, [text], language));
    expect(ends).toHaveLength(found.length);
  });
});
