import type { RelayToken } from "#shared/relay.ts";

/**
 * Final tokens in, sentences out. A sentence ends at . ? ! directly after a letter, once that is
 * confirmed: by white space after it, an endpoint, a change of speaker, or the sweep. What has not
 * ended is carried over, so how the tokens are cut into batches never changes the text.
 */

/** A piece of final text with its place on the recording's clock. */
interface Piece {
  text: string;
  startMs: number;
  endMs: number;
}

/** Final words whose sentence has not ended. */
export interface Pending {
  readonly pieces: readonly Piece[];
  readonly speaker: string | null;
  /** End of the last piece that was absorbed, ms; new pieces without times begin here. */
  readonly clockMs: number;
}

/** A finished sentence. Times are whole ms on the recording's clock and ascend. */
export interface Sentence {
  english: string;
  speaker: string | null;
  startMs: number;
  endMs: number;
}

export interface Segmented {
  readonly pending: Pending;
  readonly sentences: readonly Sentence[];
}

export function createPending(clockMs: number): Pending {
  return { pieces: [], speaker: null, clockMs };
}

/** A speaker without pauses or a recogniser without punctuation must not grow one row for ever. */
export const sentenceMaxLength = 2_000;

const terminator = String.raw`\p{L}[.?!]+["'”’)\]]*`;
const endedBySpace = new RegExp(`${terminator}(?=\\s)`, "u");
const endedAtEnd = new RegExp(`${terminator}\\s*$`, "u");

/** The pending text as it was spoken, leading space included. */
export function getPendingText(pending: Pending): string {
  return pending.pieces.map((piece) => piece.text).join("");
}

export function getPendingStart(pending: Pending): number | null {
  return pending.pieces[0]?.startMs ?? null;
}

export interface AddTokensOptions {
  /** Audio that the recogniser has finished, ms: the end of tokens that carry no times. */
  finalMs: number;
  /** The speaker paused after these tokens. */
  endpoint: boolean;
  /** Cut at a change of speaker and label the rows. */
  diarization: boolean;
  /** Text that follows and may still change. */
  interim: string;
}

/** Adds final tokens to what is pending and takes out every sentence that has ended. */
export function addTokens(
  pending: Pending,
  finals: readonly RelayToken[],
  options: AddTokensOptions,
): Segmented {
  const sentences: Sentence[] = [];
  let current = pending;
  for (const token of finals) {
    // A space alone says nothing about who speaks.
    const named = token.text.trim() === "" ? null : (token.speaker ?? null);
    const speaker = options.diarization ? (named ?? current.speaker) : null;
    if (speaker !== null && current.speaker !== null && speaker !== current.speaker) {
      const flushed = endSentence(current);
      sentences.push(...flushed.sentences);
      current = flushed.pending;
    }
    // Token by token: where the batches end must not decide where the rows do.
    const spaced = takeSentences(addPiece(current, token, speaker, options));
    sentences.push(...spaced.sentences);
    current = spaced.pending;
  }
  if (options.endpoint || /^\s/u.test(options.interim)) {
    const ended = endCompleteSentence(current, options.endpoint ? "" : options.interim);
    sentences.push(...ended.sentences);
    current = ended.pending;
  }
  return { pending: current, sentences };
}

/** Takes the pending text if it ends like a sentence; not before interim text: "example." may become ".com". */
export function endCompleteSentence(pending: Pending, interim: string): Segmented {
  if (interim !== "" && !/^\s/u.test(interim)) return { pending, sentences: [] };
  return endedAtEnd.test(getPendingText(pending))
    ? endSentence(pending)
    : { pending, sentences: [] };
}

export function endSentence(pending: Pending): Segmented {
  const sentence = toSentence(pending.pieces, pending.speaker);
  return {
    pending: { pieces: [], speaker: pending.speaker, clockMs: pending.clockMs },
    sentences: sentence === null ? [] : [sentence],
  };
}

function addPiece(
  pending: Pending,
  token: RelayToken,
  speaker: string | null,
  options: AddTokensOptions,
): Pending {
  // A row must end where the next one begins or before it, whatever the recogniser reports.
  const startMs = Math.max(Math.round(token.start_ms ?? pending.clockMs), pending.clockMs);
  const endMs = Math.max(Math.round(token.end_ms ?? options.finalMs), startMs);
  const piece = { text: token.text.replaceAll("\0", ""), startMs, endMs };
  return { pieces: [...pending.pieces, piece], speaker, clockMs: endMs };
}

function takeSentences(pending: Pending): Segmented {
  const sentences: Sentence[] = [];
  let pieces = pending.pieces;
  for (;;) {
    const text = pieces.map((piece) => piece.text).join("");
    const cut = findSentenceEnd(text);
    if (cut === null) return { pending: { ...pending, pieces }, sentences };
    const [head, tail] = splitPieces(pieces, cut);
    const sentence = toSentence(head, pending.speaker);
    if (sentence !== null) sentences.push(sentence);
    pieces = tail;
  }
}

/** Where the first sentence of `text` ends (exclusive), or null. */
function findSentenceEnd(text: string): number | null {
  const match = endedBySpace.exec(text);
  if (match !== null && match.index + match[0].length <= sentenceMaxLength) {
    return match.index + match[0].length;
  }
  if (text.length <= sentenceMaxLength) return null;
  const space = text.lastIndexOf(" ", sentenceMaxLength);
  if (space > 0 && text.slice(0, space).trim() !== "") return space;
  // Without a space: by length, yet not through a surrogate pair.
  const code = text.charCodeAt(sentenceMaxLength - 1);
  return code >= 0xd800 && code <= 0xdbff ? sentenceMaxLength - 1 : sentenceMaxLength;
}

/** Cuts before character `at`; a piece that lies across is cut in proportion to its letters. */
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

function toSentence(pieces: readonly Piece[], speaker: string | null): Sentence | null {
  const spoken = pieces.filter((piece) => piece.text.trim() !== "");
  const first = spoken[0];
  const last = spoken.at(-1);
  if (first === undefined || last === undefined) return null;
  const english = pieces
    .map((piece) => piece.text)
    .join("")
    .trim();
  return { english, speaker, startMs: first.startMs, endMs: last.endMs };
}
