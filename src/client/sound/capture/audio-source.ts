import { ApiError } from "#client/lib/call-server.ts";
import { type Clock, every } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import {
  type AudioCapture,
  type AudioErrorReason,
  type AudioHandlers,
  AudioSourceError,
  type CaptureOptions,
  type SuspensionReason,
} from "#client/sound/capture/audio-ports.ts";
// A separate file, because the page's script-src 'self' refuses a worklet inlined as a data: URL.
import workletUrl from "#client/sound/capture/capture.worklet.ts?worker&url";
import {
  type CaptureMessage,
  type CaptureProcessorOptions,
  captureProcessor,
  flushRequest,
} from "#client/sound/capture/capture-messages.ts";
import { decodePcm, LoudnessMeter, measureLoudness } from "#client/sound/capture/level.ts";
import {
  createMicrophoneConstraints,
  givenSound,
  readGivenSound,
} from "#client/sound/capture/microphone-sound.ts";
import { QuietSpeech } from "#client/sound/capture/quiet-speech.ts";
import { audioResumeMs, captureSampleRate } from "#shared/limits.ts";

const buildTimeoutMs = 15_000;
/** A suspended context does not run its worklet, so it may never answer. */
const flushTimeoutMs = 500;
const endTimeoutMs = 200;
/** Time for the audio thread to disconnect the graph before the context is closed. */
const closeDelayMs = 100;

export async function openMicrophone(
  clock: Clock,
  handlers: AudioHandlers,
  signal: AbortSignal,
  { deviceId, chunkSamples, isRaw }: CaptureOptions,
): Promise<AudioCapture> {
  const opened = await requestMicrophone(deviceId, isRaw);
  const { stream } = opened;
  const [track] = stream.getAudioTracks();
  const input: CaptureInput = {
    track,
    isRaw: opened.isRaw,
    createSource: (context) => context.createMediaStreamSource(stream),
    isMuted: () => track?.muted === true,
    listen({ changed, lost }) {
      if (track === undefined) return;
      track.onmute = changed;
      track.onunmute = changed;
      track.onended = lost;
    },
    stop() {
      for (const openTrack of stream.getTracks()) openTrack.stop();
    },
  };
  if (opened.isRaw) return openInput(clock, input, handlers, signal, chunkSamples);
  const quietSpeech = new QuietSpeech();
  const measured: AudioHandlers = {
    ...handlers,
    chunk(pcm) {
      handlers.chunk(pcm);
      if (quietSpeech.onChunk(decodePcm(pcm), clock.now())) handlers.quiet();
    },
  };
  return openInput(clock, input, measured, signal, chunkSamples);
}

export interface InputEvents {
  /** The input may be muted, or not any more. */
  changed(): void;
  /** See `AudioHandlers`. */
  replaced(label: string): void;
  /** It gives nothing any more. */
  lost(): void;
}

/** What is captured: a device, or several sources that are mixed. */
export interface CaptureInput {
  /** For the browser's recognition. */
  readonly track: MediaStreamTrack | undefined;
  /** See `AudioCapture`. */
  readonly isRaw: boolean | null;
  /** The node with its sound; called again for each other context. */
  createSource(context: AudioContext): AudioNode;
  isMuted(): boolean;
  listen(events: InputEvents): void;
  /** Opens its devices again. Where it is absent, the input is opened again as a whole. Never rejects. */
  reopen?(): Promise<void>;
  /** Releases the devices. */
  stop(): void;
}

/** Captures `input`, and stops it when that fails. @throws AudioSourceError */
export async function openInput(
  clock: Clock,
  input: CaptureInput,
  handlers: AudioHandlers,
  signal: AbortSignal,
  chunkSamples: number,
): Promise<AudioCapture> {
  let graph: Graph | null = null;
  try {
    // The permission may have been granted after the start was cancelled.
    signal.throwIfAborted();
    graph = await buildGraphInTime(clock, input, chunkSamples);
    signal.throwIfAborted();
    return new InputCapture(clock, input, chunkSamples, handlers, graph);
  } catch (error) {
    input.stop();
    await graph?.context.close();
    throw error instanceof AudioSourceError
      ? error
      : new AudioSourceError("failed", { cause: error });
  }
}

/** @throws AudioSourceError `stuck` when the audio engine or the worklet does not load in time */
async function buildGraphInTime(
  clock: Clock,
  input: CaptureInput,
  chunkSamples: number,
): Promise<Graph> {
  // Some browsers capture only at the device's own rate; the worklet then converts.
  const building = buildGraph(input, chunkSamples, { sampleRate: captureSampleRate }).catch(() =>
    buildGraph(input, chunkSamples, {}),
  );
  try {
    return await withTimeout(clock, buildTimeoutMs, () => building);
  } catch (error) {
    building.then(
      ({ context }) => context.close(),
      () => {},
    );
    throw error instanceof ApiError ? new AudioSourceError("stuck") : error;
  }
}

interface Graph {
  context: AudioContext;
  source: AudioNode;
  analyser: AnalyserNode;
  worklet: AudioWorkletNode;
}

export interface OpenedMicrophone {
  stream: MediaStream;
  isRaw: boolean;
}

/** @throws AudioSourceError */
export async function requestMicrophone(
  deviceId: string | null,
  isRaw: CaptureOptions["isRaw"],
): Promise<OpenedMicrophone> {
  const isWantedRaw = isRaw(deviceId);
  const stream = await requestStream(deviceId, isWantedRaw);
  // Which input the default is may be known only now.
  const id = stream.getAudioTracks()[0]?.getSettings().deviceId;
  if (id === undefined || isRaw(id) === isWantedRaw) return { stream, isRaw: isWantedRaw };
  for (const track of stream.getTracks()) track.stop();
  return { stream: await requestStream(deviceId, !isWantedRaw), isRaw: !isWantedRaw };
}

/** @throws AudioSourceError */
async function requestStream(deviceId: string | null, isRaw: boolean): Promise<MediaStream> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
        ...createMicrophoneConstraints(!isRaw),
      },
    });
    const [track] = stream.getAudioTracks();
    if (track) givenSound.set(readGivenSound(track));
    return stream;
  } catch (error) {
    throw new AudioSourceError(toErrorReason(error), { cause: error });
  }
}

function toErrorReason(error: unknown): AudioErrorReason {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  if (name === "NotReadableError" || name === "AbortError") return "busy";
  return "failed";
}

async function buildGraph(
  input: CaptureInput,
  chunkSamples: number,
  options: AudioContextOptions,
): Promise<Graph> {
  const context = new AudioContext({ ...options, latencyHint: "interactive" });
  try {
    await context.audioWorklet.addModule(workletUrl);
    const source = input.createSource(context);
    const analyser = new AnalyserNode(context, { fftSize: 1_024 });
    const worklet = new AudioWorkletNode(context, captureProcessor, {
      channelCount: 1,
      channelCountMode: "explicit",
      numberOfOutputs: 1,
      processorOptions: { chunkSamples } satisfies CaptureProcessorOptions,
    });
    // The worklet outputs nothing, but engines only run nodes that lead to the destination.
    source.connect(analyser).connect(worklet).connect(context.destination);
    return { context, source, analyser, worklet };
  } catch (error) {
    await context.close();
    throw error;
  }
}

class InputCapture implements AudioCapture {
  readonly restart: (() => Promise<void>) | undefined;
  readonly #meter = new LoudnessMeter();
  readonly #answers = { flushed: () => {}, ended: () => {} };
  readonly #stopChecking: () => void;
  #graph: Graph;
  #samples = new Float32Array();
  #isStopped = false;
  #reported: SuspensionReason | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly input: CaptureInput,
    private readonly chunkSamples: number,
    private readonly handlers: AudioHandlers,
    graph: Graph,
  ) {
    this.#graph = graph;
    this.#use(graph);
    this.restart = input.reopen && (() => this.#restart());
    this.#stopChecking = every(clock, audioResumeMs, () => {
      this.#resume();
      this.#reportNoSound();
    });
    input.listen({
      changed: () => this.#reportNoSound(),
      replaced: (label) => {
        if (!this.#isStopped) handlers.replaced(label);
      },
      lost: () => {
        if (!this.#isStopped) handlers.lost();
      },
    });
    if (input.isMuted()) this.#reportNoSound();
  }

  get track(): MediaStreamTrack | undefined {
    return this.input.track;
  }

  get isRaw(): boolean | null {
    return this.input.isRaw;
  }

  level(): number {
    this.#graph.analyser.getFloatTimeDomainData(this.#samples);
    return this.#meter.read(measureLoudness(this.#samples), this.clock.now());
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopChecking();
    const ended = this.#waitFor("ended", endTimeoutMs);
    const flushed = this.#waitFor("flushed", flushTimeoutMs);
    this.#graph.worklet.port.postMessage(flushRequest);
    await flushed;
    this.input.stop();
    await ended;
    this.#leave(this.#graph);
  }

  async #restart(): Promise<void> {
    await this.input.reopen?.();
    if (this.#isStopped) return;
    const graph = await buildGraphInTime(this.clock, this.input, this.chunkSamples);
    if (this.#isStopped) {
      this.#leave(graph);
      return;
    }
    this.#leave(this.#graph);
    this.#use(graph);
  }

  #use(graph: Graph): void {
    this.#graph = graph;
    this.#samples = new Float32Array(graph.analyser.fftSize);
    graph.worklet.port.onmessage = ({ data }: MessageEvent<CaptureMessage>) => {
      if (data.type === "chunk") this.handlers.chunk(new Uint8Array(data.pcm));
      else this.#answers[data.type]();
    };
    graph.context.onstatechange = () => {
      this.#resume();
      this.#reportNoSound();
    };
    this.#resume();
  }

  #leave({ context, source, analyser, worklet }: Graph): void {
    worklet.port.onmessage = null;
    context.onstatechange = null;
    // A context closed before its graph is disconnected leaks both until the page is closed.
    for (const node of [source, analyser, worklet]) node.disconnect();
    this.clock.after(closeDelayMs, () => void context.close());
  }

  #waitFor(type: "flushed" | "ended", timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(timeoutMs, resolve);
      this.#answers[type] = () => {
        cancel();
        resolve();
      };
    });
  }

  #resume(): void {
    const { context } = this.#graph;
    // Resumed during an interruption, Safari on phones says that it runs, and never delivers a sample again.
    if (this.#isStopped || context.state !== "suspended") return;
    // Refused until the person interacts with the page; tried again at the next interval.
    context.resume().catch(() => {});
  }

  #reportNoSound(): void {
    const reason = this.#findReason();
    if (reason !== this.#reported && !this.#isStopped) this.handlers.noSound(reason);
    this.#reported = reason;
  }

  #findReason(): SuspensionReason | null {
    const { state } = this.#graph.context;
    // The system also mutes the device then.
    if (state === "interrupted") return "interrupted";
    if (this.input.isMuted()) return "muted";
    // A suspended context delivers nothing, whatever the device does.
    return state === "running" ? null : "notDelivered";
  }
}
