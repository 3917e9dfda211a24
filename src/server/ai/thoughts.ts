import { createUnusableAnswer } from "#server/ports.ts";
import { isAnnouncementLine } from "./announcements.ts";

/** What models think, in the text of their answer. */

/** Words between which models put what they think: `<think>`, `[THINK]` (Mistral), `◁think▷` (Kimi), `<seed:think>`. */
const word = "(?:seed:)?(?:scratchpad|think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflection)";
const openTag = new RegExp(
  `^(?:<${word}>|\\[think\\]|◁think▷|<\\|(?:start_thinking|inner_prefix)\\|>)`,
  "i",
);
/** In quotation marks of code, an answer speaks of it. */
const closeTag = new RegExp(
  `(?<!\`)(?:</${word}>|\\[/think\\]|◁/think▷|<\\|(?:end_thinking|inner_suffix)\\|>)(?!\`)`,
  "i",
);
const closeTags = new RegExp(closeTag.source, "gi");

/** A form of thoughts. Without `close`, only the sign itself is left out. */
interface Form {
  open: RegExp;
  close: RegExp | null;
}

const forms: readonly Form[] = [
  { open: openTag, close: closeTag },
  // gpt-oss: https://cookbook.openai.com/articles/openai-harmony
  {
    open: /^(?:<\|start\|>assistant)?<\|channel\|>final[^<]{0,40}<\|message\|>/i,
    close: null,
  },
  {
    open: /^(?:<\|start\|>assistant)?<\|channel\|>[^<]{0,80}(?:<\|constrain\|>[^<]{0,20})?<\|message\|>/i,
    close: /<\|(?:end|call)\|>|(?=<\|(?:start|channel)\|>)/i,
  },
  { open: /^<\|start\|>assistant<\|message\|>/i, close: null },
  // The same where a server has left out the signs.
  { open: /^analysis(?=\p{Lu})/u, close: /assistantfinal/ },
  // Gemma
  { open: /^<\|channel>\w{1,20}\s/i, close: /<channel\|>/i },
  // Granite
  { open: /^here is my thought process:/i, close: /here is my response:/i },
  // Heads of a chat template, which a server has left in the answer.
  {
    open: /^(?:<\|im_start\|>assistant\s|<\|start_header_id\|>assistant<\|end_header_id\|>|assistant\n)/i,
    close: null,
  },
  // GLM
  { open: /^<\|begin_of_box\|>/i, close: null },
  // Cohere
  { open: /^<\|start_(?:response|text)\|>/i, close: null },
];

/** Characters of a sign that may be in two pieces. */
const signLength = 24;
const headerLength = 160;
const openHeader = /^<\|(?:(?:start|channel)\|?|im_start\||start_header_id\|)>/i;
/** Signs that are words. */
const wordSigns = ["analysis", "assistant\n", "here is my thought process:"];

/** Whether a beginning may become one of the signs. */
const canBecomeSign = (text: string): boolean =>
  /^[<[◁][^>\]▷\n]*$/.test(text.slice(0, signLength + 1))
    ? text.length <= signLength
    : (openHeader.test(text) && text.length <= headerLength) ||
      wordSigns.some((sign) => sign.startsWith(text.toLowerCase()));

/**
 * How thoughts begin whose first tag is in the prompt, so that an answer has only the last one. A summary may begin so, too.
 */
const thinkingWords =
  /^(?:(?:okay|ok|alright|hmm+|well)\b|let(?:['’]s| me| us)\b|first(?:ly)?,|so,? (?:the|i|we)\b|we (?:need|are|have|must)\b|i (?:need|should|have|must|will)\b|i['’](?:m|ll)\b|the user\b|user (?:wants|asks)\b|好的|好，|嗯|首先|用户|我需要|我们需要|让我|まず|ユーザー|사용자)/i;
/** Whether the first words are not complete. */
const isTooShortToTell = (text: string): boolean => text.length < 10 && /^\p{L}/u.test(text);
/** Characters within which such thoughts end. */
const unopenedMax = 12_000;

/** Objects and lists have the tag in their strings, if at all. */
const isStructured = (text: string): boolean => /^[{[]/.test(text);

/** Takes the thoughts out of one answer, which arrives in pieces. */
export class ThoughtFilter {
  #state: "beginning" | "thoughts" | "doubt" | "answer" = "beginning";
  #close = closeTag;
  #held = "";
  /** No tag is in what is held before. */
  #searchedTo = 0;
  /** The last characters that were given out: a tag may be in two pieces. Null: none is looked for. */
  #given: string | null = "";
  hasThoughts = false;
  /** The thoughts had no first tag. */
  isUnopened = false;

  /** `isUnopened`: the model has given thoughts without a first tag before, so all may be thoughts until the last one. */
  constructor(private readonly expected: { isUnopened: boolean } = { isUnopened: false }) {}

  /** Whether thoughts have begun that have not ended. */
  get isThinking(): boolean {
    return this.#state === "thoughts";
  }

  /**
   * What belongs to the answer for certain.
   *
   * @throws AppError `llm_unusable` where thoughts have been given out as an answer
   */
  push(piece: string): string {
    if (this.#state === "answer") return this.#give(piece);
    this.#held += piece;
    for (;;)
      switch (this.#state) {
        case "beginning":
          if (!this.#begin()) return "";
          break;
        case "thoughts":
          if (!this.#endThoughts(0)) {
            this.#held = this.#held.slice(-signLength);
            return "";
          }
          break;
        case "doubt":
          if (this.#endThoughts(this.#searchedTo)) {
            this.hasThoughts = true;
            this.isUnopened = true;
            break;
          }
          this.#searchedTo = Math.max(0, this.#held.length - signLength);
          if (this.#mayThink()) return "";
          this.#state = "answer";
          break;
        case "answer":
          return this.#give(this.#takeHeld());
        default:
          return this.#state satisfies never;
      }
  }

  /** The rest of the answer. */
  end(): string {
    return this.#state === "thoughts" ? "" : this.#takeHeld();
  }

  /** False while the beginning says nothing. */
  #begin(): boolean {
    this.#held = this.#held.trimStart();
    if (this.#held === "") return false;
    for (const { open, close } of forms) {
      const sign = open.exec(this.#held)?.[0];
      if (sign === undefined) continue;
      this.#held = this.#held.slice(sign.length);
      if (close === null) return true;
      this.#close = close;
      this.#state = "thoughts";
      this.hasThoughts = true;
      return true;
    }
    if (canBecomeSign(this.#held) || isTooShortToTell(this.#held)) return false;
    if (isStructured(this.#held)) this.#given = null;
    const isKnown = this.hasThoughts || this.#given === null;
    this.#state = !isKnown && this.#mayThink() ? "doubt" : "answer";
    this.#close = closeTag;
    return true;
  }

  /** Whether what is held may be thoughts without a first tag. */
  #mayThink(): boolean {
    if (this.expected.isUnopened) return true;
    if (this.#held.length > unopenedMax || !thinkingWords.test(this.#held)) return false;
    const lineEnd = this.#held.indexOf("\n");
    return lineEnd < 0 || !isAnnouncementLine(this.#held.slice(0, lineEnd));
  }

  #endThoughts(from: number): boolean {
    const end = this.#close.exec(this.#held.slice(from));
    if (end === null) return false;
    this.#held = this.#held.slice(from + end.index + end[0].length);
    this.#state = "beginning";
    return true;
  }

  #takeHeld(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #give(piece: string): string {
    if (this.#given === null) return piece;
    const recent = this.#given + piece;
    if (!this.hasThoughts && closeTag.test(recent)) {
      this.isUnopened = true;
      throw createUnusableAnswer("thoughts in place of the answer");
    }
    this.#given = recent.slice(-signLength);
    return piece;
  }
}

/** A whole answer without the thoughts before it; empty if they do not end. */
export function removeThoughts(answer: string): string {
  const text = answer.trimStart();
  // What is before a last tag is thoughts, whatever it begins with.
  const isUnopened = !forms.some(({ open }) => open.test(text)) && !isStructured(text);
  const last = isUnopened ? [...text.matchAll(closeTags)].at(-1) : undefined;
  const filter = new ThoughtFilter();
  return filter.push(last ? text.slice(last.index + last[0].length) : text) + filter.end();
}

/** Whether a whole answer has thoughts before it. */
export const hasThoughtsBefore = (answer: string): boolean => {
  const text = answer.trimStart();
  return openTag.test(text) || /^<\|(?:start\|>assistant<\|)?channel\|?>(?!final)/i.test(text);
};

/** Whether an answer that was cut may be thoughts that have not ended. */
export const mayBeThoughts = (answer: string): boolean => thinkingWords.test(answer.trimStart());
