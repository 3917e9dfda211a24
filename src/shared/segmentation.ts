import { findCut } from "./join-pieces.ts";
import { type SpokenLanguage, unmarkedLanguages } from "./languages.ts";
import type { RelayToken } from "./relay.ts";
import { getSentenceFinder } from "./sentences.ts";

/**
 * Splits final tokens into sentences, by the rules of `getSentenceFinder`. Text that has not ended stays pending, so the
 * division of tokens into batches never changes the result.
 */

/** A piece of final text with its time on the lecture's clock. */
interface Piece {
  text: string;
  startMs: number;
  endMs: number;
}

/** Final text whose sentence has not ended; it may begin with white space. */
export interface Pending {
  readonly pieces: readonly Piece[];
  readonly speaker: string | null;
  readonly language: SpokenLanguage;
  /** End of the last added piece, ms; a piece without times begins here. */
  readonly clockMs: number;
}

/** A finished sentence. Times are whole ms on the lecture's clock and ascend. */
export interface Sentence {
  original: string;
  spokenIn: SpokenLanguage;
  speaker: string | null;
  startMs: number;
  endMs: number;
}

export interface Segmented {
  readonly pending: Pending;
  readonly sentences: readonly Sentence[];
}

export function createPending(clockMs: number, language: SpokenLanguage): Pending {
  return { pieces: [], speaker: null, language, clockMs };
}

/** Limits a row when the speaker makes no pauses or the provider sends no punctuation. */
export const sentenceMaxLength = 2_000;
/**
 * The same in grapheme clusters, for scripts that say more with each: what is said in the two minutes and a quarter of
 * 2,000 English characters (150 words a minute). Chinese has 4.5 in a second, Japanese 5 (300 a minute in the news),
 * Korean 7.5 with its spaces, Indian scripts 9, Thai 11.
 */
const rowMaxGraphemes: Partial<Record<SpokenLanguage, number>> = {
  zh: 600,
  ja: 670,
  ko: 1_000,
  th: 1_470,
  hi: 1_200,
  mr: 1_200,
  bn: 1_200,
  gu: 1_200,
  pa: 1_200,
  ta: 1_200,
  te: 1_200,
  kn: 1_200,
  ml: 1_200,
};
/** Characters behind the longest row that decide where it is cut; more than a sentence finder looks at. */
const cutReach = 60;

export function joinText(parts: readonly { text: string }[]): string {
  return parts.map(({ text }) => text).join("");
}

export interface AddTokensOptions {
  /** Audio that the provider has finalized, ms: the end of tokens without times. */
  finalMs: number;
  /** The speaker paused after these tokens. */
  endpoint: boolean;
  /** Ends sentences at a change of speaker and labels the rows. */
  diarization: boolean;
  /** The interim text that follows. */
  interim: string;
}

/** Length of a word whose whole time is taken by the words before. */
const lateWordMs = 60;

/** Adds final tokens to the pending text and takes out every sentence that has ended. */
export function addTokens(
  pending: Pending,
  finals: readonly RelayToken[],
  options: AddTokensOptions,
): Segmented {
  const sentences: Sentence[] = [];
  let current = pending;
  for (const token of finals) {
    // White space says nothing about who speaks.
    const tokenSpeaker = token.text.trim() === "" ? null : (token.speaker ?? null);
    const speaker = options.diarization ? (tokenSpeaker ?? current.speaker) : null;
    const language =
      token.text.trim() === "" ? current.language : (token.language ?? current.language);
    const hasNewSpeaker =
      speaker !== null && current.speaker !== null && speaker !== current.speaker;
    if (hasNewSpeaker || language !== current.language) {
      const flushed = endSentence(current);
      sentences.push(...flushed.sentences);
      current = { ...flushed.pending, language };
    }
    // After each token, so that the end of a batch does not decide where a row ends.
    const segmented = takeSentences(addPiece(current, token, speaker, options));
    sentences.push(...segmented.sentences);
    current = segmented.pending;
  }
  if (options.endpoint || options.interim !== "") {
    const interim = options.endpoint ? "" : options.interim;
    const ended = endCompleteSentence(current, interim, options.endpoint);
    sentences.push(...ended.sentences);
    current = ended.pending;
  }
  return { pending: current, sentences };
}

/**
 * Ends the pending sentence if it is complete. Interim text directly after it may continue it: "example." + "com".
 * `isPause`: the speaker has paused after it.
 */
export function endCompleteSentence(pending: Pending, interim: string, isPause = false): Segmented {
  const text = joinText(pending.pieces);
  // A row ends where the speaker pauses.
  if (isPause && unmarkedLanguages.includes(pending.language)) return endSentence(pending);
  const end = getSentenceFinder(pending.language)(text + interim, 0, interim === "");
  const isComplete = end !== null && end <= text.length && text.slice(end).trim() === "";
  return isComplete ? endSentence(pending) : { pending, sentences: [] };
}

export function endSentence(pending: Pending): Segmented {
  const sentence = toSentence(pending.pieces, pending);
  return {
    pending: { ...pending, pieces: [] },
    sentences: sentence === null ? [] : [sentence],
  };
}

function addPiece(
  pending: Pending,
  token: RelayToken,
  speaker: string | null,
  options: AddTokensOptions,
): Pending {
  // Rows must not overlap, whatever times the provider reports.
  const startMs = Math.max(Math.round(token.start_ms ?? pending.clockMs), pending.clockMs);
  const tokenEndMs = Math.round(token.end_ms ?? options.finalMs);
  // Another engine may have placed the words before too late.
  const isLate =
    tokenEndMs <= pending.clockMs && tokenEndMs > Math.round(token.start_ms ?? tokenEndMs);
  const endMs = isLate ? startMs + lateWordMs : Math.max(tokenEndMs, startMs);
  const piece = { text: token.text.replaceAll("\0", ""), startMs, endMs };
  // An empty one would be joined with each that follows.
  const pieces = piece.text === "" ? pending.pieces : [...pending.pieces, piece];
  return { ...pending, pieces, speaker, clockMs: endMs };
}

function takeSentences(pending: Pending): Segmented {
  const sentences: Sentence[] = [];
  let pieces = pending.pieces;
  for (;;) {
    const cut = findRowEnd(joinText(pieces), pending.language);
    if (cut === null) return { pending: { ...pending, pieces }, sentences };
    const [head, tail] = splitPieces(pieces, cut);
    const sentence = toSentence(head, pending);
    if (sentence !== null) sentences.push(sentence);
    pieces = tail;
  }
}

/** Where the first row of `text` ends (exclusive), or null. */
function findRowEnd(text: string, language: SpokenLanguage): number | null {
  const max = measureMax(text, rowMaxGraphemes[language]);
  // What follows the longest row is not read for each of its rows.
  const end = getSentenceFinder(language)(text.slice(0, sentenceMaxLength + cutReach), 0, false);
  if (end !== null && end <= max) return end;
  if (language !== "en") return text.length <= max + cutReach ? null : findBorder(text, max);
  if (text.length <= max) return null;
  const space = text.lastIndexOf(" ", max);
  return space > 0 && text.slice(0, space).trim() !== "" ? space : findCut(text, max);
}

let graphemes: Intl.Segmenter | undefined;
let words: Intl.Segmenter | undefined;

/** Length of the longest row that `text` may begin with, in characters. */
function measureMax(text: string, max = sentenceMaxLength): number {
  if (max === sentenceMaxLength || text.length <= max) return sentenceMaxLength;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let count = 0;
  for (const { index } of graphemes.segment(text.slice(0, sentenceMaxLength)))
    if (count++ === max) return index;
  return sentenceMaxLength;
}

const clauseEnd = /[、，；：،؛]|[,;:](?=\s)|(?=\s)/gu;

/** Where to cut a text before `max`: behind the last clause or at the last space of its second half, or between words. */
function findBorder(text: string, max: number): number {
  const start = text.slice(0, max + cutReach);
  const ends = Array.from(start.matchAll(clauseEnd), ({ 0: mark, index }) => ({
    end: index + mark.length,
    isClause: mark !== "",
  })).filter(({ end }) => end > max / 2 && end <= max);
  const last = ends.findLast(({ isClause }) => isClause) ?? ends.at(-1);
  if (last !== undefined) return last.end;
  words ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return words.segment(start).containing(max)?.index || findCut(text, max);
}

/** Splits before character `at`. The time of a piece that is split is divided in proportion to its length. */
function splitPieces(pieces: readonly Piece[], at: number): [Piece[], Piece[]] {
  const head: Piece[] = [];
  const tail: Piece[] = [];
  let offset = 0;
  for (const piece of pieces) {
    const inside = at - offset;
    offset += piece.text.length;
    if (inside >= piece.text.length) head.push(piece);
    else if (inside <= 0) tail.push(piece);
    else {
      const share = inside / piece.text.length;
      const middle = Math.round(piece.startMs + (piece.endMs - piece.startMs) * share);
      head.push({ text: piece.text.slice(0, inside), startMs: piece.startMs, endMs: middle });
      tail.push({ text: piece.text.slice(inside), startMs: middle, endMs: piece.endMs });
    }
  }
  return [head, tail];
}

function toSentence(
  pieces: readonly Piece[],
  { speaker, language: spokenIn }: Pick<Pending, "speaker" | "language">,
): Sentence | null {
  const spoken = pieces.filter((piece) => piece.text.trim() !== "");
  const first = spoken[0];
  const last = spoken.at(-1);
  if (first === undefined || last === undefined) return null;
  const original = joinText(pieces).trim();
  return { original, spokenIn, speaker, startMs: first.startMs, endMs: last.endMs };
}
