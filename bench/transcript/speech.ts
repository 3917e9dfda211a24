import { toNumberedId } from "#client/lib/numbered-id.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { RelayServerMessage } from "#shared/relay.ts";

/** Three hours of speech are 2,000 sentences and 27,000 words: about 13.5 words a sentence. */
const wordsPerSentence = [12, 15];
const msPerWord = 400;

/** What somebody says, or writes, in a language. */
export interface Voice {
  words: readonly string[];
  /** Between words. */
  gap: string;
  /** Of a sentence. */
  end: string;
}

const vocabulary =
  "entropy counts the ways in which a system may be arranged without anybody noticing from outside while energy is only ever moved around and that is why time has a direction".split(
    " ",
  );

export const english: Voice = { words: vocabulary, gap: " ", end: "." };

interface SpokenSentence {
  words: string[];
  startMs: number;
  endMs: number;
}

/** Sentence number `index` of an endless lecture; deterministic. */
function createSentence(
  index: number,
  wordCounts = wordsPerSentence,
  voice = english,
): SpokenSentence {
  const count = wordCounts[index % wordCounts.length] ?? 0;
  const words = Array.from(
    { length: count },
    (_, word) => voice.words[(index * 7 + word) % voice.words.length] ?? "",
  );
  words[0] = voice === english ? `Sentence ${index}` : `${words[0]}${voice.gap}${index}`;
  words[count - 1] += voice.end;
  const sum = (counts: readonly number[]) => counts.reduce((total, some) => total + some, 0);
  const rounds = Math.floor(index / wordCounts.length);
  const before = sum(wordCounts.slice(0, index % wordCounts.length));
  const startMs = (rounds * sum(wordCounts) + before) * msPerWord;
  return { words, startMs, endMs: startMs + count * msPerWord };
}

export const toDemoTranslation = (original: string) => `〔演示〕${original}`;

/** The first `count` sentences as stored entries. */
export function createEntries(count: number): TranscriptEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const { words, startMs, endMs } = createSentence(index);
    const original = words.join(" ");
    return {
      id: toNumberedId(index),
      seq: 0,
      ordinal: index,
      original,
      originalByHand: false,
      spokenIn: "en",
      translated: toDemoTranslation(original),
      translatedInto: "zh-cn",
      translatedByHand: false,
      speaker: String((Math.floor(index / 5) % 2) + 1),
      startMs,
      endMs,
    };
  });
}

/** Number of batches for each additional word. */
const batchesPerWord = 2;
export const msPerBatch = msPerWord / batchesPerWord;

/**
 * The token batches of a room from sentence `from` on: each batch has the interim words so far, and the last
 * batch of a sentence has its words as final tokens.
 */
export function* createBatches(
  from: number,
  wordCounts = wordsPerSentence,
  voice = english,
): Generator<Extract<RelayServerMessage, { type: "tokens" }>> {
  for (let index = from; ; index += 1) {
    const { words, startMs, endMs } = createSentence(index, wordCounts, voice);
    const tokens = words.map((word, at) => ({
      text: voice.gap + word,
      speaker: String((Math.floor(index / 5) % 2) + 1),
      start_ms: startMs + at * msPerWord,
      end_ms: startMs + (at + 1) * msPerWord - 20,
    }));
    for (let step = 1; step < words.length * batchesPerWord; step += 1) {
      const interim = tokens.slice(0, Math.ceil(step / batchesPerWord));
      yield {
        type: "tokens",
        tokens: interim.map((token) => ({ ...token, is_final: false })),
        audio_final_proc_ms: startMs,
        audio_total_proc_ms: startMs + interim.length * msPerWord,
      };
    }
    yield {
      type: "tokens",
      tokens: tokens.map((token) => ({ ...token, is_final: true })),
      audio_final_proc_ms: endMs,
      audio_total_proc_ms: endMs,
      endpoint: true,
    };
  }
}
