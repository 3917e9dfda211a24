import type { BrowserContext, Page } from "@playwright/test";
import { captureSampleRate } from "#shared/limits.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";

/** The system's name of the microphone that is there after another one was unplugged. */
export const otherMicrophone = "Built-in";
const nextMicrophoneMs = 1_200;

interface Sound {
  /** 16 kHz. */
  samples: Float32Array;
  /** Without an end; otherwise silence follows. */
  isEndless?: boolean;
}

/**
 * Gives the pages of `context` a microphone that plays `sound` from its beginning each time it is opened; without
 * `sound` it is silent. The sound comes from the page's own audio graph: a busy machine delays it and drops nothing.
 */
export async function installMicrophone(context: BrowserContext, sound?: Sound): Promise<void> {
  const pcm = Buffer.from(encodePcm16(sound?.samples ?? new Float32Array(1))).toString("base64");
  const argument = {
    pcm,
    sampleRate: captureSampleRate,
    loop: sound?.isEndless ?? false,
    nextMicrophoneMs,
    otherMicrophone,
  };
  await context.addInitScript(({ pcm, sampleRate, loop, nextMicrophoneMs, otherMicrophone }) => {
    let isHanging = false;
    /** When the next microphone is there, after one was unplugged. */
    let nextAt = 0;
    let open: MediaStreamTrack[] = [];
    addEventListener("microphone", (event) => {
      const command = event instanceof CustomEvent ? String(event.detail) : "";
      if (command === "unplug") {
        nextAt = Date.now() + nextMicrophoneMs;
        for (const track of open) track.dispatchEvent(new Event("ended"));
      } else isHanging = command === "hang";
    });
    // Insecure pages have no `mediaDevices`.
    if (navigator.mediaDevices === undefined) return;
    navigator.mediaDevices.getUserMedia = async () => {
      if (isHanging) return new Promise(() => {});
      if (Date.now() < nextAt) throw new DOMException("", "NotFoundError");
      const context = new AudioContext();
      await context.suspend();
      const { stream } = context.createMediaStreamDestination();
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
      const microphone = new GainNode(context);
      for (const node of [player, silence]) {
        node.connect(microphone);
        node.start();
      }
      return microphone;
    };
    const original = AudioContext.prototype.createMediaStreamSource;
    Reflect.set(
      AudioContext.prototype,
      "createMediaStreamSource",
      function (this: AudioContext, stream: MediaStream) {
        const isMicrophone = stream.getTracks().some((track) => open.includes(track));
        return isMicrophone ? createSource(this) : original.call(this, stream);
      },
    );
  }, argument);
}

const sendToMicrophone = (page: Page, command: string): Promise<void> =>
  page.evaluate((detail) => {
    dispatchEvent(new CustomEvent("microphone", { detail }));
  }, command);

/** Lets the next `getUserMedia` answer, or never. */
export const setMicrophoneHanging = (page: Page, isHanging: boolean) =>
  sendToMicrophone(page, isHanging ? "hang" : "answer");

/** Another microphone takes its place a little later, as in a system. */
export const unplugMicrophone = (page: Page) => sendToMicrophone(page, "unplug");
