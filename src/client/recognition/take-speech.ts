import { isSilenceText } from "#client/recognition/device/silence-texts.ts";
import { measureSpeech, VoiceActivity } from "#client/sound/capture/voice-activity.ts";
import { lettersPerWord, listComparable } from "#shared/word-units.ts";
import { unspacedScripts } from "#shared/words.ts";

/** Times of words from a server may be so far from their sound. */
const reachMs = 1_000;
/** Until then, the noise of the room is not known. */
const unknownMs = 12_000;
const unspaced = new RegExp(`[${unspacedScripts}]`, "u");

/** Where somebody speaks in a take that is being captured, by the level of its chunks. */
export class TakeSpeech {
  readonly #activity: VoiceActivity;

  /** `chunkMs`: length of a chunk. */
  constructor(chunkMs: number) {
    this.#activity = new VoiceActivity(chunkMs);
  }

  /** `level`: of the next chunk, 0 to 255. */
  add(level: number): void {
    this.#activity.add(level);
  }

  /**
   * Whether `text`, between two times on the take's own clock, ms, is a sentence that a model has invented: one of those
   * that models write in silence, where too little is said for its words.
   */
  isInvented(text: string, startMs: number, endMs: number): boolean {
    const { intervals } = this.#activity;
    const isKnown = endMs <= this.#activity.endMs && startMs >= unknownMs;
    const isForgotten = startMs - reachMs < (intervals[0]?.startMs ?? 0);
    if (!isKnown || isForgotten) return false;
    const speechMs = measureSpeech(intervals, startMs - reachMs, endMs + reachMs);
    const words = listComparable(text);
    return isSilenceText(
      words,
      words.length / (unspaced.test(text) ? lettersPerWord : 1),
      speechMs,
    );
  }
}
