import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { encodeWav } from "#tests/fixtures/wav.ts";

/** Files of sound and video, written by the page's own encoders. */

interface MediaPlan {
  /** A class of mediabunny: `Mp4OutputFormat`, … */
  format: string;
  codec: string;
  /** Bits per second, for a codec that compresses. */
  bitrate?: number;
  channels?: 1 | 2;
  /** A picture every second, so that the sound lies between them. */
  hasVideo?: boolean;
  hasSound?: boolean;
  /** The sound is written so many times. */
  repeat?: number;
}

export interface MadeFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Loads the library into `page`. Its own copy of the program has only what reads. */
export async function prepareMediaFiles(page: Page): Promise<void> {
  const path = "node_modules/mediabunny/dist/bundles/mediabunny.min.cjs";
  const code = readFileSync(path, "utf8");
  await page.evaluate(`{ const module = { exports: {} }; const exports = module.exports; ${code};
    globalThis.Mediabunny = Object.keys(module.exports).length > 0 ? module.exports : globalThis.Mediabunny; }`);
}

/** Has `page` encode `samples` (mono, -1 to 1, at `sampleRate`). */
export async function makeMediaFile(
  page: Page,
  name: string,
  { samples, sampleRate }: { samples: Float32Array; sampleRate: number },
  plan: MediaPlan,
): Promise<MadeFile> {
  const wav = Buffer.from(encodeWav(samples, sampleRate)).toString("base64");
  const encoded = await page.evaluate(
    async ({ wav, plan }) => {
      const library = Reflect.get(globalThis, "Mediabunny");
      const {
        format,
        codec,
        bitrate,
        channels = 1,
        hasVideo = false,
        hasSound = true,
        repeat = 1,
      } = plan;
      const target = new library.BufferTarget();
      const output = new library.Output({ format: new library[format](), target });
      const bytes = Uint8Array.from(atob(wav), (char) => char.charCodeAt(0));
      const view = new DataView(bytes.buffer);
      const rate = view.getUint32(24, true);
      const pcm = new Int16Array(bytes.buffer, 44);
      const seconds = Math.ceil(pcm.length / rate);
      const sound = hasSound
        ? new library.AudioSampleSource({ codec, ...(bitrate && { bitrate }) })
        : null;
      if (sound) output.addAudioTrack(sound);
      const canvas = new OffscreenCanvas(64, 64);
      canvas.getContext("2d");
      const video = hasVideo
        ? new library.CanvasSource(canvas, { codec: "vp8", bitrate: 50_000 })
        : null;
      if (video) output.addVideoTrack(video, { frameRate: 1 });
      await output.start();
      // No function has a name here: a program's compiler would wrap it in a helper that the page does not have.
      for (let second = 0; second < seconds * repeat; second += 1) {
        await video?.add(second, 1);
        const from = (second % seconds) * rate;
        const part = pcm.subarray(from, from + rate);
        if (sound === null || part.length === 0) continue;
        const data = new Float32Array(part.length * channels);
        for (let at = 0; at < data.length; at += 1)
          data[at] = (part[Math.floor(at / channels)] ?? 0) / 0x7fff;
        const init = { data, format: "f32", numberOfChannels: channels, sampleRate: rate };
        const sample = new library.AudioSample({ ...init, timestamp: second });
        await sound.add(sample);
        sample.close();
      }
      await output.finalize();
      const file = new Uint8Array(target.buffer);
      let text = "";
      for (let at = 0; at < file.length; at += 8_192)
        text += String.fromCharCode(...file.subarray(at, at + 8_192));
      return btoa(text);
    },
    { wav, plan },
  );
  return { name, mimeType: "", buffer: Buffer.from(encoded, "base64") };
}

/** The offset of a box of an ISO media file, at the first place where its name is. */
export function findBox(file: Buffer, name: string): number {
  const at = file.indexOf(name, 0, "latin1");
  if (at < 0) throw new Error(`The file has no box ${name}`);
  return at;
}
