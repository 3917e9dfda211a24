import type { BrowserContext, Page } from "@playwright/test";
import { captureSampleRate } from "#shared/limits.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";

/** The system's name of the microphone that is there after another one was unplugged. */
export const otherMicrophone = "Built-in";
const nextMicrophoneMs = 1_200;
/** A shorter interruption may leave no gap. */
const interruptionMinMs = 2_000;

interface Sound {
  /** 16 kHz. */
  samples: Float32Array;
  /** Without an end; otherwise silence follows. */
  isEndless?: boolean;
}

/** What a page needs to play `sound` as its microphone. */
export const toMicrophone = (sound?: Sound) => ({
  pcm: Buffer.from(encodePcm16(sound?.samples ?? new Float32Array(1))).toString("base64"),
  sampleRate: captureSampleRate,
  loop: sound?.isEndless ?? false,
  nextMicrophoneMs,
  interruptionMinMs,
  otherMicrophone,
  /** The browser's own microphone is opened as well, and its sound is left out. */
  isOpened: false,
});

/**
 * Gives the pages of `context` a microphone that plays `sound` from its beginning each time it is opened; without
 * `sound` it is silent. The sound comes from the page's own audio graph: a busy machine delays it and drops nothing.
 */
export async function installMicrophone(context: BrowserContext, sound?: Sound): Promise<void> {
  await context.addInitScript(replaceMicrophone, toMicrophone(sound));
}

/** Runs in the page, so it uses nothing from outside. */
export function replaceMicrophone(microphone: ReturnType<typeof toMicrophone>): void {
  const { pcm, sampleRate, loop, otherMicrophone, isOpened } = microphone;
  const { nextMicrophoneMs, interruptionMinMs } = microphone;
  let isHanging = false;
  /** When the next microphone is there, after one was unplugged. */
  let nextAt = 0;
  let interruptedAt = 0;
  let open: MediaStreamTrack[] = [];
  let source: { context: AudioContext } | null = null;
  const { suspend, resume } = AudioContext.prototype;
  /** As while somebody calls: the context says that it is interrupted, and whoever resumes it now freezes a phone. */
  const interrupt = async ({ context }: { context: AudioContext }) => {
    Object.defineProperty(context, "state", { get: () => "interrupted", configurable: true });
    context.resume = () => {
      Object.assign(window, { wasResumedTooEarly: true });
      return resume.call(context);
    };
    await suspend.call(context);
    interruptedAt = Date.now();
    context.dispatchEvent(new Event("statechange"));
  };
  const endInterruption = ({ context }: { context: AudioContext }) => {
    const end = () => {
      Reflect.deleteProperty(context, "state");
      Reflect.deleteProperty(context, "resume");
      context.dispatchEvent(new Event("statechange"));
    };
    setTimeout(end, interruptedAt + interruptionMinMs - Date.now());
  };
  /** The context says that it runs, and gives no sample. */
  const stall = ({ context }: { context: AudioContext }) => {
    Object.defineProperty(context, "state", { get: () => "running", configurable: true });
    return suspend.call(context);
  };
  addEventListener("microphone", (event) => {
    const command = event instanceof CustomEvent ? String(event.detail) : "";
    if (command === "unplug") {
      nextAt = Date.now() + nextMicrophoneMs;
      for (const track of open) track.dispatchEvent(new Event("ended"));
    } else if (command === "stall") source && void stall(source);
    else if (command === "interrupt") source && void interrupt(source);
    else if (command === "endInterruption") source && endInterruption(source);
    else isHanging = command === "hang";
  });
  // Insecure pages have no `mediaDevices`.
  if (navigator.mediaDevices === undefined) return;
  const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const openSilence = async () => {
    const context = new AudioContext();
    await context.suspend();
    return context.createMediaStreamDestination().stream;
  };
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    if (isHanging) return new Promise(() => {});
    if (Date.now() < nextAt) throw new DOMException("", "NotFoundError");
    const stream = await (isOpened ? getUserMedia(constraints) : openSilence());
    open = stream.getTracks();
    if (nextAt > 0)
      for (const track of open) Object.defineProperty(track, "label", { value: otherMicrophone });
    return stream;
  };
  const createSource = (context: AudioContext) => {
    // Loops: a page gives up a microphone that does not open within 15 s, with ten minutes of sound too.
    const binary = atob(pcm);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
    const samples = new Int16Array(bytes.buffer);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate });
    const channel = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) channel[at] = (samples[at] ?? 0) / 0x7fff;
    const player = new AudioBufferSourceNode(context, { buffer, loop });
    const silence = new ConstantSourceNode(context, { offset: 0 });
    const output = new GainNode(context);
    for (const node of [player, silence]) {
      node.connect(output);
      node.start();
    }
    return output;
  };
  const original = AudioContext.prototype.createMediaStreamSource;
  Reflect.set(
    AudioContext.prototype,
    "createMediaStreamSource",
    function (this: AudioContext, stream: MediaStream) {
      const isMicrophone = stream.getTracks().some((track) => open.includes(track));
      if (!isMicrophone) return original.call(this, stream);
      const output = createSource(this);
      source = { context: this };
      if (!("microphoneOpenedAt" in window))
        Object.assign(window, { microphoneOpenedAt: performance.now() });
      if (isOpened)
        original
          .call(this, stream)
          .connect(new GainNode(this, { gain: 0 }))
          .connect(output);
      return output;
    },
  );
}

const sendToMicrophone = (page: Page, command: string): Promise<void> =>
  page.evaluate(commandMicrophone, command);

/** Lets the next `getUserMedia` answer, or never. */
export const setMicrophoneHanging = (page: Page, isHanging: boolean) =>
  sendToMicrophone(page, isHanging ? "hang" : "answer");

/** Another microphone takes its place a little later, as in a system. */
export const unplugMicrophone = (page: Page) => sendToMicrophone(page, "unplug");

/** What a microphone that stops giving does, in the order of a test; each has an end. */
export const microphoneFaults = [
  { name: "a call interrupts the sound", command: "interrupt", end: "endInterruption" },
  { name: "another program takes the microphone", command: "stall", end: null },
  { name: "the microphone is unplugged", command: "unplug", end: null },
] as const;

/** What the page says of lost sound, once it comes again. */
export const endedGap = { css: "[data-gap]", text: "without sound" };

/** Lets the page's microphone fail, or come back. Runs in the page. */
export function commandMicrophone(detail: string): void {
  dispatchEvent(new CustomEvent("microphone", { detail }));
}

/** Since when the page's microphone gives sound, ms. Runs in the page. */
export const readElapsedMs = (): number =>
  performance.now() - Number(Reflect.get(window, "microphoneOpenedAt"));

/** Shorter losses are no gap, and a busy machine delays the sound. */
export const untoldMaxMs = 2_000;

/** Time of which `takes` have neither the sound nor a gap that says so, of a recording that took `elapsedMs`. */
export function getUntoldMs(
  takes: readonly Pick<RecordedTake, "capturedMs" | "gaps">[],
  elapsedMs: number,
): number {
  const told = takes.flatMap(({ capturedMs, gaps }) => [
    capturedMs,
    ...gaps.map(({ lengthMs, reason }) => (reason === "noWords" ? 0 : (lengthMs ?? 0))),
  ]);
  return elapsedMs - told.reduce((sum, ms) => sum + ms, 0);
}
