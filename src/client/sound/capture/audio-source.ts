import { ApiError } from "#client/lib/call-server.ts";
import { type Clock, every } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import {
  type AudioCapture,
  type AudioErrorReason,
  type AudioHandlers,
  AudioSourceError,
  type CaptureOptions,
  type NoSoundReason,
} from "#client/sound/capture/audio-ports.ts";
// A separate file, because the page's script-src 'self' refuses a worklet inlined as a data: URL.
import workletUrl from "#client/sound/capture/capture.worklet.ts?worker&url";
import {
  type CaptureMessage,
  type CaptureProcessorOptions,
  captureProcessor,
  flushRequest,
} from "#client/sound/capture/capture-messages.ts";
import { LoudnessMeter, measureLoudness } from "#client/sound/capture/level.ts";
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
  { deviceId, chunkSamples }: CaptureOptions,
): Promise<AudioCapture> {
  const stream = await requestMicrophone(deviceId);
  const [track] = stream.getAudioTracks();
  const input: CaptureInput = {
    track,
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
  return openInput(clock, input, handlers, signal, chunkSamples);
}

/** What is captured: a device, or several sources that are mixed. */
export interface CaptureInput {
  /** For the browser's recognition. */
  readonly track: MediaStreamTrack | undefined;
  /** The node with its sound; called again, for another context, if the first one fails. */
  createSource(context: AudioContext): AudioNode;
  isMuted(): boolean;
  /** Calls `changed` when it may be muted or not any more, and `lost` when it gives nothing any more. */
  listen(events: { changed(): void; lost(): void }): void;
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
    return startCapture(clock, input, graph, handlers);
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

/** @throws AudioSourceError */
export async function requestMicrophone(deviceId: string | null): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
        channelCount: 1,
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
      },
    });
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

function startCapture(
  clock: Clock,
  input: CaptureInput,
  { context, source, analyser, worklet }: Graph,
  handlers: AudioHandlers,
): AudioCapture {
  const answers = { flushed: () => {}, ended: () => {} };
  let isStopped = false;
  worklet.port.onmessage = ({ data }: MessageEvent<CaptureMessage>) => {
    if (data.type === "chunk") handlers.chunk(new Uint8Array(data.pcm));
    else answers[data.type]();
  };
  const answer = (type: keyof typeof answers, timeoutMs: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(timeoutMs, resolve);
      answers[type] = () => {
        cancel();
        resolve();
      };
    });
  const resume = () => {
    if (context.state === "running" || context.state === "closed") return;
    // Refused until the person interacts with the page; tried again at the next interval.
    context.resume().catch(() => {});
  };
  resume();
  const stopResuming = every(clock, audioResumeMs, () => {
    resume();
    reportNoSound();
  });
  let reported: NoSoundReason | null = null;
  const reportNoSound = () => {
    let reason: NoSoundReason | null = null;
    if (input.isMuted()) reason = "muted";
    // A suspended context delivers nothing, whatever the device does.
    else if (context.state !== "running") reason = "notDelivered";
    if (reason !== reported && !isStopped) handlers.noSound(reason);
    reported = reason;
  };
  context.onstatechange = reportNoSound;
  input.listen({
    changed: reportNoSound,
    lost: () => {
      if (!isStopped) handlers.lost();
    },
  });
  if (input.isMuted()) reportNoSound();
  const meter = new LoudnessMeter();
  const samples = new Float32Array(analyser.fftSize);
  return {
    track: input.track,
    level() {
      analyser.getFloatTimeDomainData(samples);
      return meter.read(measureLoudness(samples), clock.now());
    },
    async stop() {
      if (isStopped) return;
      isStopped = true;
      stopResuming();
      const ended = answer("ended", endTimeoutMs);
      const flushed = answer("flushed", flushTimeoutMs);
      worklet.port.postMessage(flushRequest);
      await flushed;
      input.stop();
      await ended;
      worklet.port.onmessage = null;
      // A context closed before its graph is disconnected leaks both until the page is closed.
      for (const node of [source, analyser, worklet]) node.disconnect();
      clock.after(closeDelayMs, () => void context.close());
    },
  };
}
