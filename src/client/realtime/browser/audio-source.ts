/// <reference path="../capture/worklet-url.d.ts" />
import { audioResumeMs, captureSampleRate } from "../../../shared/limits.ts";
// A file of its own: a worklet inlined as data: would be refused by the page's script-src 'self'.
import workletUrl from "../capture/capture.worklet.ts?worker&url";
import {
  type CaptureMessage,
  captureProcessor,
  flushRequest,
} from "../capture/capture-messages.ts";
import { LevelMeter, loudness } from "../capture/level-meter.ts";
import {
  type AudioCapture,
  type AudioFault,
  type AudioHandlers,
  type AudioSource,
  AudioSourceError,
  type Clock,
  every,
} from "../ports.ts";

/** A suspended context may not answer a flush. */
const flushTimeoutMs = 500;

/** The browser's microphone through an AudioWorklet. */
export class MicrophoneSource implements AudioSource {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  supported(): boolean {
    return (
      typeof AudioWorkletNode === "function" && navigator.mediaDevices?.getUserMedia !== undefined
    );
  }

  async open(handlers: AudioHandlers, signal: AbortSignal): Promise<AudioCapture> {
    if (!this.supported()) throw new AudioSourceError("unsupported");
    const stream = await askForMicrophone(signal);
    let graph: Graph | null = null;
    try {
      graph = await build(stream);
      signal.throwIfAborted();
      return capture(this.#clock, stream, graph, handlers);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      await graph?.context.close();
      throw error instanceof AudioSourceError
        ? error
        : new AudioSourceError("failed", { cause: error });
    }
  }
}

interface Graph {
  context: AudioContext;
  analyser: AnalyserNode;
  worklet: AudioWorkletNode;
}

async function askForMicrophone(signal: AbortSignal): Promise<MediaStream> {
  const asked = navigator.mediaDevices.getUserMedia({
    audio: {
      channelCount: 1,
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
    },
  });
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(new AudioSourceError("failed", { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([asked, aborted]);
  } catch (error) {
    // The person may still say yes to a question that nobody waits for.
    void asked.then(
      (stream) => {
        for (const track of stream.getTracks()) track.stop();
      },
      () => {},
    );
    if (error instanceof AudioSourceError) throw error;
    throw new AudioSourceError(faultOf(error), { cause: error });
  }
}

function faultOf(error: unknown): AudioFault {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  return "failed";
}

async function build(stream: MediaStream): Promise<Graph> {
  try {
    return await buildAt(stream, { sampleRate: captureSampleRate });
  } catch {
    // Some browsers tie a microphone to the device's own rate; the worklet then converts.
    return await buildAt(stream, {});
  }
}

async function buildAt(stream: MediaStream, options: AudioContextOptions): Promise<Graph> {
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
    return { context, analyser, worklet };
  } catch (error) {
    await context.close();
    throw error;
  }
}

function capture(
  clock: Clock,
  stream: MediaStream,
  { context, analyser, worklet }: Graph,
  handlers: AudioHandlers,
): AudioCapture {
  let flushed = () => {};
  let stopped = false;
  worklet.port.onmessage = (event: MessageEvent<CaptureMessage>) => {
    if (event.data.type === "chunk") handlers.chunk(new Uint8Array(event.data.pcm));
    else flushed();
  };
  const resume = () => {
    if (context.state !== "suspended") return;
    // Refused until the person touches the page; asked again at the next turn.
    context.resume().catch(() => {});
  };
  resume();
  const stopResuming = every(clock, audioResumeMs, resume);
  const [track] = stream.getAudioTracks();
  if (track !== undefined) {
    track.onmute = () => handlers.muted(true);
    track.onunmute = () => handlers.muted(false);
    track.onended = () => {
      if (!stopped) handlers.lost();
    };
    if (track.muted) handlers.muted(true);
  }
  const meter = new LevelMeter();
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return meter.read(loudness(samples), clock.now());
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      stopResuming();
      await new Promise<void>((resolve) => {
        const cancel = clock.after(flushTimeoutMs, resolve);
        flushed = () => {
          cancel();
          resolve();
        };
        worklet.port.postMessage(flushRequest);
      });
      worklet.port.onmessage = null;
      worklet.disconnect();
      for (const open of stream.getTracks()) open.stop();
      await context.close();
    },
  };
}
