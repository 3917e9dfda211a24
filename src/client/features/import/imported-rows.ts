import { findCut, getSpace, joinPieces } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { translateTextMaxLength } from "#shared/limits.ts";
import { findSentences } from "#shared/sentences.ts";
import type { Cue, SpokenLine } from "./cue.ts";
import type { Bilingual } from "./detect-bilingual.ts";
import { splitSpeakers } from "./split-speakers.ts";

export interface ImportedRow {
  original: string;
  /** Empty without a translation. */
  translated: string;
  /** The speaker's name in the file. */
  speaker: string | null;
  /** Both 0 in a row without times. */
  startMs: number;
  endMs: number;
}

interface Piece {
  text: string;
  speaker: string | null;
  times: Cue["times"];
}

/** A pause that ends a sentence, with or without punctuation. */
const pauseMs = 2_000;
/** A longer sentence is split between cues. */
const sentenceMaxLength = 300;
/** If a smaller share of the cues ends with punctuation, each cue becomes a row. */
const minPunctuatedShare = 0.1;

const endsSentence = /[.!?…。！？｡؟۔।]["'”’»)\]」』）]*$/;

/** Three days of speech. */
export const rowsMax = 20_000;

/** A file has more rows than `rowsMax`: no more are created. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
}

/** @throws TooManyRowsError */
function collectRows<T>(sources: readonly T[], create: (source: T) => ImportedRow[]) {
  const rows: ImportedRow[] = [];
  for (const source of sources) {
    for (const row of create(source)) rows.push(row);
    if (rows.length > rowsMax) throw new TooManyRowsError();
  }
  return rows;
}

/**
 * Creates the rows of cues in one language: one per sentence, which may span several cues.
 *
 * @throws TooManyRowsError
 */
export function createRowsFromCues(cues: readonly Cue[], language: SpokenLanguage): ImportedRow[] {
  const named = assignSpeakers(
    cues.flatMap((cue) => splitVoices(cue, language)),
    false,
  );
  const ends = named.filter((piece) => endsSentence.test(piece.text)).length;
  if (ends < named.length * minPunctuatedShare)
    return collectRows(named, (piece) => createSentenceRows([piece], null));
  return collectRows(groupPieces(named), (group) => createSentenceRows(group, language));
}

/** Splits a cue by speaker. Its time is divided in proportion to the length of their texts. */
function splitVoices(cue: Cue, language: SpokenLanguage): Piece[] {
  const turns: { speaker: string | null; texts: string[] }[] = [];
  for (const { text, speaker } of cue.lines) {
    const last = turns.at(-1);
    if (last && last.speaker === speaker) last.texts.push(text);
    else turns.push({ speaker, texts: [text] });
  }
  const voices = turns.map(
    ({ speaker, texts }): Piece => ({
      speaker,
      text: joinPieces(texts, language),
      times: cue.times,
    }),
  );
  const whole = voices.reduce((sum, voice) => sum + voice.text.length, 0);
  let before = 0;
  return voices.map((voice) => {
    const times =
      cue.times && sliceTimes(cue.times, before / whole, (before + voice.text.length) / whole);
    before += voice.text.length;
    return { ...voice, times };
  });
}

function sliceTimes({ startMs, endMs }: NonNullable<Cue["times"]>, from: number, to: number) {
  const at = (share: number) => Math.round(startMs + (endMs - startMs) * share);
  return { startMs: at(from), endMs: at(to) };
}

/** Turns names at the starts of texts into speakers, unless voice tags name speakers. */
function assignSpeakers<T extends Piece>(pieces: readonly T[], onlyAtChanges: boolean): T[] {
  if (pieces.some((piece) => piece.speaker !== null)) return [...pieces];
  let last: string | null = null;
  return splitSpeakers(pieces, onlyAtChanges).map((piece) => {
    last = piece.speaker ?? (onlyAtChanges ? last : null);
    return { ...piece, speaker: last };
  });
}

/** Groups neighbours that may share a sentence: same speaker, no pause. */
function groupPieces(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1)?.at(-1);
    const joins =
      last !== undefined &&
      last.speaker === piece.speaker &&
      (last.times === null) === (piece.times === null) &&
      (last.times === null ||
        piece.times === null ||
        Math.abs(piece.times.startMs - last.times.endMs) <= pauseMs);
    if (joins) groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

/**
 * Creates the rows of one group, each with its share of the time. `language`: of its sentences; null: one row.
 *
 * @throws TooManyRowsError
 */
function createSentenceRows(
  group: readonly Piece[],
  language: SpokenLanguage | null,
): ImportedRow[] {
  const starts: number[] = [];
  let text = "";
  for (const [index, piece] of group.entries()) {
    // Not the end of `text`: it is one string only when it is whole, and each look at it would copy it.
    const before = group[index - 1]?.text;
    if (before !== undefined) text += getSpace(before, piece.text, language ?? "en");
    starts.push(text.length);
    text += piece.text;
  }
  /** The time at character `offset` of the text, which is in piece `pieceIndex`. */
  const timeAt = (offset: number, pieceIndex: number): number => {
    const piece = group[pieceIndex];
    if (!piece?.times) return 0;
    const share = (offset - (starts[pieceIndex] ?? 0)) / Math.max(1, piece.text.length);
    return sliceTimes(piece.times, Math.min(1, share), 1).startMs;
  };
  const ranges = language ? findSentences(text, language) : [{ from: 0, to: text.length }];
  if (ranges.length > rowsMax) throw new TooManyRowsError();
  const speaker = group[0]?.speaker ?? null;
  return ranges
    .flatMap(({ from, to }) => splitLongRange(from, to, starts))
    .flatMap(({ from, to }) => {
      const startMs = timeAt(from, findPieceIndex(from, starts));
      // At the boundary of two pieces, the end belongs to the first.
      const endMs = Math.max(startMs, timeAt(to, findPieceIndex(to - 1, starts)));
      return createRows(text.slice(from, to), "", speaker, { startMs, endMs });
    });
}

/** Index of the last of the sorted `starts` that is not after `offset`. */
function findPieceIndex(offset: number, starts: readonly number[]): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Splits the range at `starts` if it is too long for a row. */
function splitLongRange(from: number, to: number, starts: readonly number[]) {
  const parts: { from: number; to: number }[] = [];
  const inside = starts.slice(findPieceIndex(from, starts) + 1, findPieceIndex(to - 1, starts) + 1);
  let begin = from;
  let reached = from;
  for (const start of [...inside, to]) {
    if (start - begin > sentenceMaxLength && reached > begin) {
      parts.push({ from: begin, to: reached });
      begin = reached;
    }
    reached = start;
  }
  return [...parts, { from: begin, to }];
}

/** Creates one row of a text and its translation, or several if they are too long. */
function createRows(
  original: string,
  translated: string,
  speaker: string | null,
  times: { startMs: number; endMs: number },
): ImportedRow[] {
  const originals = splitText(original, translateTextMaxLength);
  const translations = splitText(translated, translateTextMaxLength);
  const count = Math.max(originals.length, translations.length);
  return Array.from({ length: count }, (_, index) => ({
    original: originals[index] ?? "",
    translated: translations[index] ?? "",
    speaker,
    ...sliceTimes(times, index / count, (index + 1) / count),
  }));
}

/** Splits `text` into parts of at most `max` characters, at spaces if possible. */
function splitText(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    const cut = space > max / 2 ? space : findCut(rest, max);
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== "") parts.push(rest);
  return parts;
}

const joinLines = (lines: readonly SpokenLine[], language: Parameters<typeof joinPieces>[1]) =>
  joinPieces(
    lines.map(({ text }) => text),
    language,
  );

/** Turns names before the first lines of cues, in whichever language these are, into speakers. */
export const nameSpeakers = (cues: readonly Cue[]): Cue[] =>
  assignSpeakers(
    cues.map(({ times, lines: [{ text, speaker } = { text: "", speaker: null }, ...others] }) => ({
      times,
      text,
      speaker,
      others,
    })),
    false,
  ).map(({ times, text, speaker, others }) => ({ times, lines: [{ text, speaker }, ...others] }));

/** @throws TooManyRowsError */
export const createRowsFromPairs = ({ pairs, sourceLanguage, language }: Bilingual) =>
  collectRows(pairs, ({ cue, original, translated }) =>
    createRows(
      joinLines(original, sourceLanguage),
      joinLines(translated, language),
      cue.lines[0]?.speaker ?? null,
      cue.times ?? { startMs: 0, endMs: 0 },
    ),
  );

/** Creates one row per sentence, without times. A blank line ends a sentence. @throws TooManyRowsError */
export function createRowsFromText(text: string, language: SpokenLanguage): ImportedRow[] {
  const parts = text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => unwrapLines(paragraph, language))
    .map((paragraph) => ({ text: paragraph, speaker: null, times: null }));
  const pieces = assignSpeakers(parts, true);
  return collectRows(pieces, (piece) => createSentenceRows([piece], language));
}

/** A line of at least this length may have been wrapped. */
const wrappedMinLength = 50;

/** Splits a paragraph into lines and joins wrapped ones. */
function unwrapLines(paragraph: string, language: SpokenLanguage): string[] {
  const groups: string[][] = [];
  /** True when the last line may continue on the next one. */
  let continues = false;
  for (const line of paragraph.split("\n").map((one) => one.replace(/\s+/g, " ").trim())) {
    if (line === "") continue;
    if (continues && !/^(?:[-*•]|\d+[.)])\s/.test(line)) groups.at(-1)?.push(line);
    else groups.push([line]);
    continues = line.length >= wrappedMinLength && !endsSentence.test(line);
  }
  return groups.map((lines) => joinPieces(lines, language));
}
