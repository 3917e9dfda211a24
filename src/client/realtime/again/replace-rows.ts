import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import type { TakeLanguages } from "#client/realtime/takes/take-languages.ts";
import { isCorrected } from "#client/realtime/transcript/merge-rows.ts";
import {
  createCover,
  createTimes,
  RowTimeline,
  type Span,
} from "#client/realtime/transcript/row-timeline.ts";
import {
  addTokens,
  createPending,
  endSentence,
  type Sentence,
} from "#client/realtime/transcript/segmentation.ts";
import {
  defaultSourceLanguage,
  getTranslationLanguage,
  type LanguagePair,
} from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { RelayToken, RelayTokens } from "#shared/relay.ts";

/**
 * Which rows of a lecture stay when its sound was recognised again, and what takes the place of the others. All times
 * are on the lecture's clock, ms.
 */

/** Final words of one message; `end`: what follows does not go on where they end. */
export type HeardWords =
  | { kind: "words"; batch: RelayTokens; languages: TakeLanguages; diarization: boolean }
  | { kind: "end" };

const getMiddle = ({ startMs, endMs }: Span): number => (startMs + endMs) / 2;

/** Rows that stay, because a person has corrected them or no sound of theirs is kept, and those that are replaced. */
export function splitRows(
  rows: readonly TranscriptRow[],
  spans: readonly Span[],
): { kept: TranscriptRow[]; replaced: TranscriptRow[] } {
  const isCovered = createCover(spans);
  const isReplaced = (row: TranscriptRow) =>
    !isCorrected(row) && row.endMs > 0 && isCovered(getMiddle(row));
  return {
    kept: rows.filter((row) => !isReplaced(row)),
    replaced: rows.filter(isReplaced),
  };
}

/** The sentences of `words`, without words that are in a row of `kept`. No sentence goes on behind such a row. */
export function createSentences(
  words: readonly HeardWords[],
  kept: readonly TranscriptRow[],
): Sentence[] {
  const sentences: Sentence[] = [];
  const isKept = createCover(kept);
  const hasKeptBetween = createTimes(kept.map(getMiddle));
  let pending = createPending(0, defaultSourceLanguage);
  /** The middle of the last word; null: what follows does not go on there. */
  let last: number | null = null;
  const end = () => {
    sentences.push(...endSentence(pending).sentences);
    pending = createPending(0, pending.language);
    last = null;
  };
  for (const part of words) {
    if (part.kind === "end") {
      end();
      continue;
    }
    const { batch, languages, diarization } = part;
    const { language } = languages;
    // The first words; those that say their language change it.
    if (language !== "detect" && pending.pieces.length === 0) pending = { ...pending, language };
    const options = { finalMs: batch.audio_final_proc_ms, diarization, interim: "" };
    const add = (tokens: readonly RelayToken[], endpoint: boolean) => {
      const added = addTokens(pending, tokens, { ...options, endpoint });
      sentences.push(...added.sentences);
      pending = added.pending;
    };
    for (const token of batch.tokens) {
      const { start_ms: startMs = last ?? 0, end_ms: endMs = startMs } = token;
      const middle = getMiddle({ startMs, endMs });
      if (last !== null && hasKeptBetween(last, middle)) end();
      if (isKept(middle)) end();
      else {
        add([token], false);
        last = middle;
      }
    }
    if (batch.endpoint === true) add([], true);
  }
  end();
  return sentences;
}

/** A row that takes the place of others; `translated` is empty where it has to be translated. */
export type NewRow = Omit<TranscriptEntry, "revision">;

/**
 * Rows of `sentences`. One that was recognised in the same words before keeps its translation, and a speaker the label
 * that they had for the most time.
 */
export function createRows(
  sentences: readonly Sentence[],
  replaced: readonly TranscriptRow[],
  languages: LanguagePair,
): NewRow[] {
  const labels = matchSpeakers(sentences, replaced);
  const byWords = new Map(
    [...Map.groupBy(replaced, ({ original }) => original)].map(([words, rows]) => [
      words,
      new RowTimeline(rows),
    ]),
  );
  return sentences.map((sentence) => {
    const { spokenIn, original, speaker } = sentence;
    const target = getTranslationLanguage(languages, spokenIn);
    const same = byWords
      .get(original)
      ?.listAt(sentence)
      .find(
        (row) =>
          row.spokenIn === spokenIn &&
          row.translation === "done" &&
          row.translatedInto === target &&
          getOverlapMs(row, sentence) > 0,
      );
    return {
      ...sentence,
      speaker: speaker === null ? null : (labels.get(speaker) ?? speaker),
      translated: same?.translated ?? "",
      translatedInto: target,
      translatedByHand: false,
    };
  });
}

const getOverlapMs = (one: Span, other: Span): number =>
  Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs);

/** New label → label of before, by the longest common time; each is used once. */
function matchSpeakers(
  sentences: readonly Sentence[],
  before: readonly TranscriptRow[],
): Map<string, string> {
  const common = new Map<string, { label: string; old: string; ms: number }>();
  const timeline = new RowTimeline(before);
  for (const sentence of sentences)
    for (const row of timeline.listAt(sentence)) {
      const ms = getOverlapMs(sentence, row);
      if (sentence.speaker === null || row.speaker === null || ms <= 0) continue;
      const key = JSON.stringify([sentence.speaker, row.speaker]);
      const known = common.get(key)?.ms ?? 0;
      common.set(key, { label: sentence.speaker, old: row.speaker, ms: known + ms });
    }
  const labels = new Map<string, string>();
  const used = new Set<string>();
  for (const { label, old } of [...common.values()].sort((a, b) => b.ms - a.ms)) {
    if (labels.has(label) || used.has(old)) continue;
    labels.set(label, old);
    used.add(old);
  }
  return labels;
}

/**
 * All rows of the lecture with `added` in the place of those without a correction in `spans`, in the order of the clock.
 * What a kept row covers is left out of `added`. The new rows have a higher revision than any before, so that another tab
 * does not take its own for newer.
 */
export function replaceRows(
  rows: readonly TranscriptRow[],
  spans: readonly Span[],
  added: readonly NewRow[],
  languages: LanguagePair,
): TranscriptEntry[] {
  const { kept } = splitRows(rows, spans);
  const revision = 1 + rows.reduce((highest, row) => Math.max(highest, row.revision), 0);
  const isKept = createCover(kept);
  const fresh = added.filter((row) => !isKept(getMiddle(row))).map((row) => ({ ...row, revision }));
  return [...kept.map((row) => toEntry(row, languages)), ...fresh].sort(
    (a, b) => a.startMs - b.startMs,
  );
}

/** What is stored of a row. One that waits for its translation is stored with the language of that. */
export function toEntry(row: TranscriptRow, languages: LanguagePair): TranscriptEntry {
  const { position: _, translation, placeholder: _placeholder, ...entry } = row;
  if (translation !== "waiting") return entry;
  const translatedInto = row.translatedInto ?? getTranslationLanguage(languages, row.spokenIn);
  return { ...entry, translated: "", translatedInto };
}
