import { getTranslationState } from "#client/lecture/initial-state.ts";
import { isCorrected } from "#client/lecture/rows/merge-rows.ts";
import {
  createCover,
  createTimes,
  RowTimeline,
  type Span,
} from "#client/lecture/rows/row-timeline.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import {
  defaultSourceLanguage,
  getTranslationLanguage,
  type LanguagePair,
} from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { RelayToken, RelayTokens } from "#shared/relay.ts";
import { addTokens, createPending, endSentence, type Sentence } from "#shared/segmentation.ts";

/**
 * Which rows of a lecture stay when its sound was recognised again, and what takes the place of the others. All times
 * are on the lecture's clock, ms.
 */

/** Final words of one message; `end`: what follows does not go on where they end. */
export type HeardWords =
  | { kind: "words"; batch: RelayTokens; languages: TakeLanguages; diarization: boolean }
  | { kind: "end" };

export const getMiddle = ({ startMs, endMs }: Span): number => (startMs + endMs) / 2;

/** Rows that stay, because a person has corrected them or no sound of theirs is kept, and those that are replaced. */
export function splitRows(
  rows: readonly TranscriptEntry[],
  spans: readonly Span[],
): { kept: TranscriptEntry[]; replaced: TranscriptEntry[] } {
  const isCovered = createCover(spans);
  const isReplaced = (row: TranscriptEntry) =>
    !isCorrected(row) && row.endMs > 0 && isCovered(getMiddle(row));
  return {
    kept: rows.filter((row) => !isReplaced(row)),
    replaced: rows.filter(isReplaced),
  };
}

/** The sentences of `words`, without words that are in a row of `kept`. No sentence goes on behind such a row. */
export function createSentences(words: readonly HeardWords[], kept: readonly Span[]): Sentence[] {
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

interface NewRows {
  newId(): string;
  /** Of the first row. */
  ordinal: number;
  languages: LanguagePair;
}

/**
 * New rows of `sentences`. One that was recognised in the same words before keeps its translation, and a speaker the label
 * that they had for the most time.
 */
export function createRows(
  sentences: readonly Sentence[],
  replaced: readonly TranscriptEntry[],
  { newId, ordinal, languages }: NewRows,
): TranscriptEntry[] {
  const labels = matchSpeakers(sentences, replaced);
  const byWords = new Map(
    [...Map.groupBy(replaced, ({ original }) => original)].map(([words, rows]) => [
      words,
      new RowTimeline(rows),
    ]),
  );
  return sentences.map((sentence, index) => {
    const { spokenIn, original, speaker } = sentence;
    const target = getTranslationLanguage(languages, spokenIn);
    const same = byWords
      .get(original)
      ?.listAt(sentence)
      .find((row) => {
        const { translation, translatedInto } = getTranslationState(row, languages);
        return (
          row.spokenIn === spokenIn &&
          translation === "done" &&
          translatedInto === target &&
          getOverlapMs(row, sentence) > 0
        );
      });
    return {
      ...sentence,
      id: newId(),
      seq: 0,
      ordinal: ordinal + index,
      originalByHand: false,
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
  before: readonly TranscriptEntry[],
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
