import { Signal } from "#client/lib/observable.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import type { KeptTake, TakeStorage } from "#client/sound/takes/take-storage.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { canDecodeOpus, createWav, readPcm } from "./converted-sound.ts";
import { canWriteM4a } from "./m4a-config.ts";
import { createSoundFile } from "./sound-file.ts";
import {
  createSpans,
  findSpan,
  hasSoundAt,
  type SoundSpan,
  skipSilence,
} from "./sound-timeline.ts";

/** Interval of looking where the sound is, ms. */
const tickMs = 100;

/** `kept`: Ogg with Opus, or WAV in browsers without an encoder for it. */
export type SoundFormat = "kept" | "m4a" | "wav";

export const playbackRates = [0.75, 1, 1.25, 1.5, 2] as const;
export type PlaybackRate = (typeof playbackRates)[number];

interface PlayerState {
  isPlaying: boolean;
  /** On the lecture's clock. */
  ms: number;
  rate: PlaybackRate;
  skipsSilence: boolean;
  /** The sound could not be read or played. */
  hasFailed: boolean;
}

/** Plays the kept sound of one lecture on the lecture's clock, with one audio element for all takes. */
export class SoundPlayer {
  readonly state = new Signal<PlayerState>({
    isPlaying: false,
    ms: 0,
    rate: 1,
    skipsSilence: false,
    hasFailed: false,
  });
  readonly spans: readonly SoundSpan[];
  /** End of the last span, ms on the lecture's clock. */
  readonly endMs: number;
  /** The take that the element has, and its address; null while another one is read. */
  #loaded: { takeId: string; url: string } | null = null;
  #span: SoundSpan | null = null;
  /** Raised by each command: what an earlier one was waiting for is outdated. */
  #command = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly storage: TakeStorage,
    readonly takes: readonly KeptTake[],
    /** The levels of each take, by its id. */
    readonly levels: ReadonlyMap<string, Uint8Array>,
    private readonly audio: HTMLAudioElement,
  ) {
    this.spans = createSpans(takes);
    this.endMs = this.spans.at(-1)?.endMs ?? 0;
    audio.addEventListener("ended", () => this.#playNext());
  }

  /** Whether there is sound at `ms` on the lecture's clock. */
  readonly hasSoundAt = (ms: number): boolean => hasSoundAt(this.spans, ms);

  /** Plays from `ms` on the lecture's clock, or from where it is; from the beginning when it is at the end. */
  async play(ms = this.state.get().ms): Promise<void> {
    this.#command += 1;
    const command = this.#command;
    const span = findSpan(this.spans, ms) ?? this.spans[0];
    if (!span) return;
    const from = ms < span.startMs || ms >= span.endMs ? span.startMs : ms;
    this.#span = span;
    this.#set({ isPlaying: true, ms: from, hasFailed: false });
    try {
      await this.#load(span.take, command);
      if (command !== this.#command) return;
      this.#seekElement(span, from);
      this.audio.playbackRate = this.state.get().rate;
      await this.audio.play();
    } catch (failure) {
      if (command !== this.#command) return;
      console.warn("kept sound not played", failure);
      this.#stop();
      this.#set({ hasFailed: true });
      return;
    }
    if (command !== this.#command) return;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  pause(): void {
    if (this.state.get().isPlaying) this.#tick();
    this.#stop();
  }

  toggle(): void {
    if (this.state.get().isPlaying) this.pause();
    else void this.play();
  }

  /** Moves to `ms` on the lecture's clock; goes on playing from there if it plays. */
  seek(ms: number): void {
    const to = Math.max(0, Math.min(ms, this.endMs));
    if (this.state.get().isPlaying) void this.play(to);
    else this.#set({ ms: to });
  }

  setRate(rate: PlaybackRate): void {
    this.audio.playbackRate = rate;
    this.#set({ rate });
  }

  setSkipsSilence(skipsSilence: boolean): void {
    this.#set({ skipsSilence });
  }

  /** Of all sound as a WAV file. */
  get wavBytes(): number {
    const ms = this.takes.reduce((sum, { nextSeq, codec }) => sum + nextSeq * chunkMs[codec], 0);
    return (ms / 1_000) * captureSampleRate * 2;
  }

  /** What the sound can be downloaded as: as it is kept, and in the smallest format that more programs open. */
  async listFormats(): Promise<SoundFormat[]> {
    const isOpus = this.takes.some(({ codec }) => codec === "opus");
    if (isOpus && !canDecodeOpus()) return ["kept"];
    if (await canWriteM4a()) return ["kept", "m4a"];
    return isOpus ? ["kept", "wav"] : ["kept"];
  }

  /**
   * The sound as files to download: one, unless it is to be as it is kept, and takes of different codecs follow each
   * other. `report` is called with the part that is converted, from 0 to 1.
   */
  async createFiles(
    title: string,
    format: SoundFormat = "kept",
    report: (part: number) => void = () => {},
  ): Promise<{ blob: Blob; name: string }[]> {
    const sound = { storage: this.storage, takes: this.takes, report };
    if (format !== "kept") {
      const blob =
        format === "wav"
          ? await createWav(sound)
          : await (await import("#client/sound/media-files/m4a-file.ts")).createM4a(readPcm(sound));
      return [{ blob, name: toFileName(title, blob.type) }];
    }
    const runs = this.takes.reduce<KeptTake[][]>((all, take) => {
      const last = all.at(-1);
      if (last?.[0]?.codec === take.codec) last.push(take);
      else all.push([take]);
      return all;
    }, []);
    return Promise.all(
      runs.map(async (takes, index) => {
        const blob = await createSoundFile(this.storage, takes);
        const number = runs.length > 1 ? ` ${index + 1}` : "";
        return { blob, name: toFileName(`${title}${number}`, blob.type) };
      }),
    );
  }

  dispose(): void {
    this.#stop();
    this.audio.removeAttribute("src");
    this.#unload();
  }

  #set(change: Partial<PlayerState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  #stop(): void {
    this.#command += 1;
    clearInterval(this.#timer);
    this.audio.pause();
    if (this.state.get().isPlaying) this.#set({ isPlaying: false });
  }

  async #load(take: KeptTake, command: number): Promise<void> {
    if (this.#loaded?.takeId === take.id) return;
    this.audio.pause();
    this.#unload();
    const file = await createSoundFile(this.storage, [take]);
    if (command !== this.#command) return;
    const url = URL.createObjectURL(file);
    this.#loaded = { takeId: take.id, url };
    this.audio.src = url;
  }

  #unload(): void {
    if (this.#loaded) URL.revokeObjectURL(this.#loaded.url);
    this.#loaded = null;
  }

  #seekElement(span: SoundSpan, ms: number): void {
    this.audio.currentTime = (ms - span.startMs + span.fromMs) / 1_000;
  }

  #tick(): void {
    const span = this.#span;
    // While another take is read, the element's time is the one before's.
    if (!span || !this.#loaded) return;
    const ms = this.audio.currentTime * 1_000 - span.fromMs + span.startMs;
    if (ms >= span.endMs) {
      this.#playNext();
      return;
    }
    const { skipsSilence } = this.state.get();
    const levels = this.levels.get(span.take.id);
    const to = skipsSilence && levels ? skipSilence(span, levels, ms) : ms;
    if (to !== ms) this.#seekElement(span, to);
    this.#set({ ms: to });
  }

  #playNext(): void {
    if (!this.#span || !this.state.get().isPlaying) return;
    const { endMs } = this.#span;
    if (findSpan(this.spans, endMs)) {
      void this.play(endMs);
      return;
    }
    this.#stop();
    this.#set({ ms: this.endMs });
  }
}

/** Spaces, and characters that file systems do not allow. */
const forbidden = /[\\/:*?"<>|\p{Cc}\s]+/gu;

const extensions: Readonly<Record<string, string>> = { "audio/wav": "wav", "audio/mp4": "m4a" };

const toFileName = (title: string, type: string): string =>
  `${title.replace(forbidden, " ").trim() || "Dualect"}.${extensions[type] ?? "ogg"}`;
