import { isRepetitive } from "#shared/repetitions.ts";
import { listWordStarts } from "#shared/words.ts";
import { removeAnnouncement } from "./announcements.ts";
import { removeThoughts } from "./thoughts.ts";

/** What models put around an answer that was asked for alone, and answers that are none. */

/** Signs of a chat template, such as `<|im_end|>` and `<end_of_turn>`: from there on another turn has begun. */
export const turnSign = /<\|[a-z_]{1,40}\|?>|<(?:start|end)_of_turn>|<\/?s>/i;

const openFence = /^```[\w-]{0,20}[ \t]*\r?\n?/;
const closeFence = /\r?\n?```$/;
/** Tags of the prompt that an answer repeats around itself. */
const openTag = /^<\s*(?:text|translation|answer|response|output)\s*>\s*/i;
const closeTag = /\s{0,3}<\s?\/\s?(?:text|translation|answer|response|output)\s?>$/i;

/** A remark about the translation, in a paragraph of its own behind it. */
const remark =
  /\n\s{0,20}[(（*_[]{0,3}(?:(?:please note|note|explanation|hinweis|anmerkung|remarque|nota)\b|注|说明|解释|備註|备注|補足)[^\n:：]{0,40}[:：][\s\S]*$/i;

/** An offer of further help, in a last paragraph of its own. */
const offer =
  /\n\s{0,20}(?:let me know if|i hope this helps|feel free to|would you like me to|如果(?:你|您)?(?:还有|需要)|希望这)[^\n]{0,200}$/i;

/** Wrappings may be inside each other: a fence with an announcement in it. */
const wrappingsMax = 4;

/**
 * The answer without the thoughts, fences, tags, announcements, quotation marks, emphasis and remarks around it, and without
 * what follows it in another turn. What `text`, which is answered to, has as well stays. Empty if only thoughts are there.
 */
export function unwrapAnswer(answer: string, text = ""): string {
  let rest = removeThoughts(answer).trim();
  const turn = rest.search(turnSign);
  if (turn >= 0) rest = rest.slice(0, turn).trim();
  if (!text.includes("\n")) rest = rest.replace(offer, "").replace(remark, "").trim();
  for (let round = 0; round < wrappingsMax; round += 1) {
    const before = rest;
    rest = removeAnnouncement(rest, text);
    if (openFence.test(rest) && !text.includes("```"))
      rest = rest.replace(openFence, "").replace(closeFence, "").trim();
    if (openTag.test(rest) || closeTag.test(rest))
      rest = rest.replace(openTag, "").replace(closeTag, "").trim();
    rest = removeMarks(rest, text);
    if (rest === before) break;
  }
  return rest;
}

const quotationMarks = [
  ...['""', "''", "“”", "‘’", "„“", "„”", "«»", "»«", "‹›", "「」", "『』", "``"],
  // Emphasis of the whole.
  ...["**", "__"],
].map(([open = "", close = ""]) => ({ open, close }));
const quotationMark = /["“”„«»‹›「」『』*_`]/;
const atEdge = /^['‘]|['’]$/;

/** Without the marks around the whole, where `text` has none. */
function removeMarks(answer: string, text: string): string {
  if (quotationMark.test(text) || atEdge.test(text)) return answer;
  for (const { open, close } of quotationMarks) {
    const inner = answer.slice(1, -1);
    const isAround = answer.length > 2 && answer.startsWith(open) && answer.endsWith(close);
    if (isAround && isOneQuotation(inner, open, close)) return inner.trim();
  }
  return answer;
}

/** Two quotations, one at each end, are not around the whole. */
const isOneQuotation = (inner: string, open: string, close: string): boolean =>
  open === "*" || open === "_"
    ? !inner.slice(1, -1).includes(open)
    : !inner.includes(open) && !inner.includes(close);

/** Words of a group that follows itself: sentences. */
const groupMaxWords = 40;
/** Characters that are compared: more are no answer to a sentence. */
const comparedMax = 6_000;

/** The words of a text, in lower case. */
function listWords(text: string): string[] {
  const beginning = text.slice(0, comparedMax).toLowerCase();
  const starts = listWordStarts(beginning);
  return starts.map((start, index) =>
    beginning
      .slice(start, starts[index + 1])
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, "")
      .trim(),
  );
}

/** Whether `answer` says the same again and again, and `text` does not. */
export const isCircular = (answer: string, text: string): boolean =>
  isRepetitive(listWords(answer), listWords(text), groupMaxWords);

/** Fewer words may be a name, a number or a word that both languages have. */
const echoMinWords = 4;

/** Whether `answer` has the words of `text`, in their order, and no others. */
export function isEcho(answer: string, text: string): boolean {
  const words = listWords(text).filter((word) => /\p{L}/u.test(word));
  if (words.length < echoMinWords) return false;
  const answered = listWords(answer).filter((word) => /\p{L}/u.test(word));
  return answered.length === words.length && answered.every((word, at) => word === words[at]);
}
