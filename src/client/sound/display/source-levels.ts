import { levelsPerDb } from "#client/sound/capture/level.ts";

/** `display`: the sound of a tab or a screen. */
export type SoundSource = "microphone" | "display";

/** A source is louder by at least this, or a chunk tells nothing: the microphone also hears the room's noise. */
const clearlyLouder = 6 * levelsPerDb;
/** What is quieter is no speech (-45 dB). */
const speechLevel = 15 * levelsPerDb;
/** One source has this part of a row's clear chunks, or the row has no speaker. */
const clearShare = 0.75;

/** A row's time on the lecture's clock, and the speaker that the service gives. */
interface Sentence {
  startMs: number;
  endMs: number;
  speaker: string | null;
}

/**
 * The levels of both sources for each chunk of one capture, and what they tell of a row: which source was louder. Kept in
 * memory only.
 */
export class SourceLevels {
  readonly #chunks: { lengthMs: number; louder: SoundSource | null }[] = [];
  #hasServiceSpeakers = false;
  #rowCount = 0;
  #clearRowCount = 0;

  constructor(private readonly names: Readonly<Record<SoundSource, string>>) {}

  /** Rows that were asked for, and those of which one source was clearly louder. */
  get counts(): { rows: number; clear: number } {
    return { rows: this.#rowCount, clear: this.#clearRowCount };
  }

  /** The next chunk. Levels: see `measureLevel`. */
  add(lengthMs: number, levels: Readonly<Record<SoundSource, number>>): void {
    const { microphone, display } = levels;
    const isSpeech = Math.max(microphone, display) >= speechLevel;
    const isClear = isSpeech && Math.abs(microphone - display) >= clearlyLouder;
    const louder = isClear ? (microphone > display ? "microphone" : "display") : null;
    this.#chunks.push({ lengthMs, louder });
  }

  /**
   * The speaker of a new row; null: not known. A service that tells speakers apart has the last word: once it has given
   * one, rows without one stay so. `clockEndMs`: end of the captured sound on the lecture's clock.
   */
  findSpeaker({ startMs, endMs, speaker }: Sentence, clockEndMs: number): string | null {
    if (speaker !== null) this.#hasServiceSpeakers = true;
    if (this.#hasServiceSpeakers) return speaker;
    const lengths: Record<SoundSource, number> = { microphone: 0, display: 0 };
    let end = clockEndMs;
    for (let at = this.#chunks.length - 1; at >= 0 && end > startMs; at -= 1) {
      const { lengthMs, louder } = this.#chunks[at] ?? { lengthMs: 0, louder: null };
      const shared = Math.min(end, endMs) - Math.max(end - lengthMs, startMs);
      if (louder !== null && shared > 0) lengths[louder] += shared;
      end -= lengthMs;
    }
    const louder = lengths.microphone > lengths.display ? "microphone" : "display";
    const isClear =
      lengths[louder] > 0 && lengths[louder] >= clearShare * (lengths.microphone + lengths.display);
    this.#rowCount += 1;
    this.#clearRowCount += isClear ? 1 : 0;
    return isClear ? this.names[louder] : null;
  }
}
