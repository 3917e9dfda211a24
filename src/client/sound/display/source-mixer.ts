import type { Clock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import { pause } from "#client/lib/timeouts-and-retries.ts";
import {
  type AudioErrorReason,
  AudioSourceError,
  type CaptureOptions,
} from "#client/sound/capture/audio-ports.ts";
import {
  type CaptureInput,
  type InputEvents,
  type OpenedMicrophone,
  requestMicrophone,
} from "#client/sound/capture/audio-source.ts";
import { LoudnessMeter, measureLevel, measureLoudness } from "#client/sound/capture/level.ts";
import { silenceMs, silentPeak } from "#client/sound/capture/silence.ts";
import { type Backoff, captureSampleRate, getBackoffMs } from "#shared/limits.ts";
import { displayPicture } from "./display-picture.ts";
import { requestDisplay } from "./display-stream.ts";
import { openSources, type SourceProblem, sourceLevels } from "./sound-sources.ts";
import type { SoundSource } from "./source-levels.ts";

/** Between two tries to open a microphone that has ended, or another one. */
const retryDelays: Backoff = { firstMs: 500, maxMs: 10_000 };
const retryMaxMs = 600_000;

/** A source that is being captured. */
interface Input {
  stream: MediaStream;
  /** Of the present context; null before it exists. */
  nodes: { source: AudioNode; analyser: AnalyserNode; samples: Float32Array<ArrayBuffer> } | null;
  meter: LoudnessMeter;
  /** Length of the sound since something was heard, ms. */
  silentMs: number;
  hasSound: boolean;
}

interface Options extends CaptureOptions {
  clock: Clock;
  kinds: readonly SoundSource[];
}

/**
 * Mixes the sources of a recording. The mix goes to the capture and to the browser's recognition, never to the speakers.
 * A source that ends is shown as such while the other one goes on; without any, the capture is lost. In place of a
 * microphone that ends, the next one is opened.
 */
export class SourceMixer implements CaptureInput {
  readonly #inputs = new Map<SoundSource, Input>();
  readonly #problems = new Map<SoundSource, SourceProblem>();
  #mix: GainNode | null = null;
  #destination: MediaStreamAudioDestinationNode | null = null;
  #events: InputEvents = { changed() {}, replaced() {}, lost() {} };
  readonly #stopped = new AbortController();
  #isRaw = false;

  constructor(private readonly options: Options) {}

  /**
   * Opens all sources, the display first, because the click that allows it is soon forgotten. Without a microphone the
   * display is recorded alone, and that is shown.
   *
   * @throws AudioSourceError of the display
   */
  async open(): Promise<void> {
    this.#add("display", await requestDisplay());
    if (this.options.kinds.includes("microphone")) await this.#open("microphone");
  }

  get track(): MediaStreamTrack | undefined {
    return this.#destination?.stream.getAudioTracks()[0];
  }

  get isRaw(): boolean | null {
    return this.options.kinds.includes("microphone") ? this.#isRaw : null;
  }

  createSource(context: AudioContext): AudioNode {
    const mix = new GainNode(context);
    this.#mix = mix;
    this.#destination = new MediaStreamAudioDestinationNode(context);
    mix.connect(this.#destination);
    for (const input of this.#inputs.values()) this.#connect(input, mix);
    return mix;
  }

  isMuted(): boolean {
    const tracks = [...this.#inputs.values()].flatMap(({ stream }) => stream.getAudioTracks());
    return tracks.length > 0 && tracks.every(({ muted }) => muted);
  }

  listen(events: InputEvents): void {
    this.#events = events;
    this.#publish();
    // A source may have ended before.
    if (this.#inputs.size === 0) events.lost();
  }

  async reopen(): Promise<void> {
    if (this.options.kinds.includes("microphone")) await this.#open("microphone");
  }

  stop(): void {
    this.#stopped.abort();
    for (const kind of [...this.#inputs.keys()]) this.#remove(kind);
    openSources.set([]);
  }

  /** A chunk of `lengthMs` was captured. */
  measure(lengthMs: number): void {
    const picture = displayPicture.get();
    picture?.elapsedMs.set(picture.elapsedMs.get() + lengthMs);
    const levels = { microphone: 0, display: 0 };
    for (const [kind, input] of this.#inputs) {
      const samples = readSamples(input);
      const isSilent = samples.every((sample) => Math.abs(sample) * 32_768 <= silentPeak);
      input.hasSound ||= !isSilent;
      input.silentMs = isSilent ? input.silentMs + lengthMs : 0;
      levels[kind] = measureLevel(samples);
      // A lecture in a tab has pauses; a microphone that is switched on is never without any sound.
      const isTold = input.silentMs >= silenceMs && (kind === "microphone" || !input.hasSound);
      this.#setProblem(kind, isTold ? "silent" : null);
    }
    if (this.options.kinds.length > 1) sourceLevels.get()?.add(lengthMs, levels);
  }

  /** Returns why it was not opened. */
  async #open(kind: SoundSource): Promise<AudioErrorReason | null> {
    try {
      const stream = await (kind === "display" ? requestDisplay() : this.#requestMicrophone());
      if (this.#stopped.signal.aborted) for (const track of stream.getTracks()) track.stop();
      else this.#add(kind, stream);
    } catch (error) {
      // When no other tab was chosen, the one before goes on.
      if (!this.#stopped.signal.aborted && !this.#inputs.has(kind))
        this.#setProblem(kind, toProblem(error));
      return toReason(error);
    }
    return null;
  }

  async #requestMicrophone(): Promise<MediaStream> {
    const { deviceId, isRaw } = this.options;
    let opened: OpenedMicrophone;
    try {
      opened = await requestMicrophone(deviceId, isRaw);
    } catch (error) {
      if (deviceId === null || toReason(error) !== "missing") throw error;
      opened = await requestMicrophone(null, isRaw);
    }
    this.#isRaw = opened.isRaw;
    return opened.stream;
  }

  #add(kind: SoundSource, stream: MediaStream): void {
    this.#remove(kind);
    const input: Input = {
      stream,
      nodes: null,
      meter: new LoudnessMeter(),
      silentMs: 0,
      hasSound: false,
    };
    this.#inputs.set(kind, input);
    for (const track of stream.getAudioTracks()) {
      track.onmute = () => this.#events.changed();
      track.onunmute = () => this.#events.changed();
      track.onended = () => this.#end(kind, input);
    }
    if (this.#mix !== null) this.#connect(input, this.#mix);
    const [picture] = stream.getVideoTracks();
    if (picture) displayPicture.set({ track: picture, elapsedMs: new Signal(0) });
    this.#setProblem(kind, null);
  }

  #connect(input: Input, mix: GainNode): void {
    const context = mix.context as AudioContext;
    const source = context.createMediaStreamSource(input.stream);
    const chunkLength = (this.options.chunkSamples * context.sampleRate) / captureSampleRate;
    const fftSize = Math.min(32_768, 2 ** Math.round(Math.log2(chunkLength)));
    const analyser = new AnalyserNode(context, { fftSize });
    source.connect(analyser).connect(mix);
    input.nodes = { source, analyser, samples: new Float32Array(fftSize) };
  }

  #end(kind: SoundSource, input: Input): void {
    if (this.#inputs.get(kind) !== input) return;
    this.#remove(kind);
    this.#setProblem(kind, "ended");
    if (this.#inputs.size === 0) this.#events.lost();
    else if (kind === "microphone") void this.#replaceMicrophone(getLabel(input));
  }

  /** Tries to open one while there may be one, unless the person does. */
  async #replaceMicrophone(before: string): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.#stopped;
    const endsAt = clock.now() + retryMaxMs;
    for (let failures = 0; clock.now() < endsAt; failures += 1) {
      const problem = await this.#open("microphone");
      const input = this.#inputs.get("microphone");
      if (input !== undefined && getLabel(input) !== before) this.#events.replaced(getLabel(input));
      if (input !== undefined || problem === "denied") return;
      await pause(clock, getBackoffMs(retryDelays, failures), signal);
      if (signal.aborted || this.#inputs.has("microphone")) return;
    }
  }

  #remove(kind: SoundSource): void {
    const input = this.#inputs.get(kind);
    this.#inputs.delete(kind);
    if (input === undefined) return;
    if (kind === "display") displayPicture.set(null);
    for (const track of input.stream.getTracks()) {
      track.onended = null;
      track.stop();
    }
    input.nodes?.source.disconnect();
    input.nodes?.analyser.disconnect();
  }

  #setProblem(kind: SoundSource, problem: SourceProblem | null): void {
    if ((this.#problems.get(kind) ?? null) === problem) return;
    if (problem === null) this.#problems.delete(kind);
    else this.#problems.set(kind, problem);
    if (this.#mix !== null) this.#publish();
  }

  #publish(): void {
    const { clock, kinds } = this.options;
    openSources.set(
      kinds.map((kind) => ({
        kind,
        problem: this.#problems.get(kind) ?? null,
        level: () => {
          const input = this.#inputs.get(kind);
          return input?.meter.read(measureLoudness(readSamples(input)), clock.now()) ?? 0;
        },
        reopen: async () => void (await this.#open(kind)),
      })),
    );
  }
}

const getLabel = ({ stream }: Input): string => stream.getAudioTracks()[0]?.label ?? "";

/** The latest sound of `input`, about as long as a chunk. */
function readSamples({ nodes }: Input): Float32Array {
  if (nodes === null) return new Float32Array();
  nodes.analyser.getFloatTimeDomainData(nodes.samples);
  return nodes.samples;
}

const toReason = (error: unknown): AudioErrorReason =>
  error instanceof AudioSourceError ? error.reason : "failed";

function toProblem(error: unknown): SourceProblem {
  const reason = toReason(error);
  return reason === "notShared" || reason === "noSound" ? reason : "noMicrophone";
}
