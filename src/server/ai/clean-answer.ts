import { isRepetitive } from "#shared/repetitions.ts";
import { listWordStarts } from "#shared/words.ts";

/** What models put around an answer that was asked for alone, and answers that are none. */

/** Signs of a chat template, such as `<|im_end|>` and `<end_of_turn>`: from there on another turn has begun. */
const turnSign = /<\|[a-z_]{1,40}\|?>|<(?:start|end)_of_turn>|<\/?s>/i;

const openFence = /^```[\w-]{0,20}[ \t]*\r?\n?/;
const closeFence = /\r?\n?```$/;
/** Tags of the prompt that an answer repeats around itself. */
const openTag = /^<\s*(?:text|translation|answer)\s*>\s*/i;
const closeTag = /\s{0,3}<\s?\/\s?(?:text|translation|answer)\s?>$/i;

/** A line that announces the answer: "Sure! Here is the translation:", "Translation:", "以下是翻译：". */
const announcement =
  /^(?:(?:sure|certainly|of course|okay|ok)\b[!,. ]{0,3})?(?:here(?:['’]s| is| are)\b[^\n:：]{0,80}|(?:the )?translat(?:ion|ed text)\b[^\n:：]{0,40}|(?:以下|下面)是[^\n:：]{0,30}|(?:翻译|翻譯|译文|譯文|翻訳)[^\n:：]{0,10})[:：][ \t]*\n*/i;

/** The thoughts before an answer. */
const thoughts = /^\s*<think(?:ing)?>.*?<\/think(?:ing)?>\s*/is;

/**
 * The answer without the thoughts, fences, tags and announcements around it, and without what follows it in another turn.
 * An announcement stays where `text`, which is answered to, begins with one as well. Empty if only thoughts are there.
 */
export function unwrapAnswer(answer: string, text = ""): string {
  let rest = answer.replace(thoughts, "").trim();
  if (/^<think(?:ing)?>/i.test(rest)) return "";
  const turn = rest.search(turnSign);
  if (turn >= 0) rest = rest.slice(0, turn).trim();
  if (!announcement.test(text)) rest = rest.replace(announcement, "").trim();
  if (openFence.test(rest) && !text.includes("```"))
    rest = rest.replace(openFence, "").replace(closeFence, "").trim();
  if (openTag.test(rest) || closeTag.test(rest))
    rest = rest.replace(openTag, "").replace(closeTag, "").trim();
  return rest;
}

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
