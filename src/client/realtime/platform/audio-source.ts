/// <reference path="../audio/worklet-url.d.ts" />

// A file of its own: a worklet inlined as data: would be refused by the page's script-src 'self'.
import workletUrl from "#client/realtime/audio/capture.worklet.ts?worker&url";
import {
  type CaptureMessage,
  captureProcessor,
  flushRequest,
} from "#client/realtime/audio/capture-messages.ts";
import { LevelMeter, measureLoudness } from "#client/realtime/audio/level-meter.ts";
import { audioResumeMs, captureSampleRate } from "#shared/limits.ts";
import {
  type AudioCapture,
  type AudioErrorReason,
  type AudioHandlers,
  AudioSourceError,
  type Clock,
  every,
} from "./ports.ts";

const buildTimeoutMs = 15_000;

/** A suspended context may not answer a flush, and does not run its worklet. */
const flushTimeoutMs = 500;
const endTimeoutMs = 200;
/** The audio thread takes a graph apart in its next turns, for as long as there are any. */
const releaseMs = 100;

export async function openMicrophone(
  clock: Clock,
  handlers: AudioHandlers,
  signal: AbortSignal,
  deviceId: string | null,
): Promise<AudioCapture> {
  const stream = await requestMicrophone(deviceId);
  let graph: Graph | null = null;
  try {
    // The person may have said yes to a question that nobody waits for any more.
    signal.throwIfAborted();
    graph = await withBuildTimeout(clock, buildGraph(stream));
    signal.throwIfAborted();
    return startCapture(clock, stream, graph, handlers);
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    await graph?.context.close();
    throw error instanceof AudioSourceError
      ? error
      : new AudioSourceError("failed", { cause: error });
  }
}

/** @throws AudioSourceError `stuck` when the audio engine or its code does not come */
async function withBuildTimeout(clock: Clock, building: Promise<Graph>): Promise<Graph> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(buildTimeoutMs, () => reject(new AudioSourceError("stuck")));
  });
  try {
    return await Promise.race([building, late]);
  } catch (error) {
    building.then(
      ({ context }) => context.close(),
      () => {},
    );
    throw error;
  } finally {
    cancel();
  }
}

interface Graph {
  context: AudioContext;
  source: MediaStreamAudioSourceNode;
  analyser: AnalyserNode;
  worklet: AudioWorkletNode;
}

async function requestMicrophone(deviceId: string | null): Promise<MediaStream> {
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

async function buildGraph(stream: MediaStream): Promise<Graph> {
  try {
    return await buildGraphWith(stream, { sampleRate: captureSampleRate });
  } catch {
    // Some browsers tie a microphone to the device's own rate; the worklet then converts.
    return await buildGraphWith(stream, {});
  }
}

async function buildGraphWith(stream: MediaStream, options: AudioContextOptions): Promise<Graph> {
  const context = new AudioContext({ ...options, latencyHint: "interactive" });
  try {
    await context.audioWorklet.addModule(workletUrl);
    const source = context.createMediaStreamSource(stream);
    const analyser = new AnalyserNode(context, { fftSize: 1_024 });
    const worklet = new AudioWorkletNode(context, captureProcessor, {
      channelCount: 1,
      channelCountMode: "explicit",
      numberOfOutputs: 1,
    });
    // The worklet writes nothing; a way to the destination is what keeps every engine pulling.
    source.connect(analyser).connect(worklet).connect(context.destination);
    return { context, source, analyser, worklet };
  } catch (error) {
    await context.close();
    throw error;
  }
}

function startCapture(
  clock: Clock,
  stream: MediaStream,
  { context, source, analyser, worklet }: Graph,
  handlers: AudioHandlers,
): AudioCapture {
  const answers = { flushed: () => {}, ended: () => {} };
  let stopped = false;
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
    // Refused until the person touches the page; asked again at the next turn.
    context.resume().catch(() => {});
  };
  resume();
  const stopResuming = every(clock, audioResumeMs, () => {
    resume();
    tellMuted();
  });
  const [track] = stream.getAudioTracks();
  let muted = false;
  const tellMuted = () => {
    // Neither a device that is muted nor a context that is suspended delivers anything.
    const now = track?.muted === true || context.state !== "running";
    if (now !== muted && !stopped) handlers.muted(now);
    muted = now;
  };
  context.onstatechange = tellMuted;
  if (track !== undefined) {
    track.onmute = tellMuted;
    track.onunmute = tellMuted;
    track.onended = () => {
      if (!stopped) handlers.lost();
    };
  }
  if (track?.muted === true) tellMuted();
  const meter = new LevelMeter();
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return meter.read(measureLoudness(samples), clock.now());
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      stopResuming();
      const ended = answer("ended", endTimeoutMs);
      const flushed = answer("flushed", flushTimeoutMs);
      worklet.port.postMessage(flushRequest);
      await flushed;
      for (const open of stream.getTracks()) open.stop();
      await ended;
      worklet.port.onmessage = null;
      // A context that is closed before its graph is apart keeps the graph, and itself, for as long as
      // the page lives.
      for (const node of [source, analyser, worklet]) node.disconnect();
      clock.after(releaseMs, () => void context.close());
    },
  };
}
