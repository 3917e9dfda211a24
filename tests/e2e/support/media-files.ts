import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, type Locator, type Page } from "@playwright/test";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { query } from "./library.ts";

/** Files of sound and video, written by the page's own encoders. */

export interface MediaPlan {
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

/** Whether FFmpeg is installed, which writes what the page's own encoders cannot. */
export const hasConverter = () => spawnSync("ffmpeg", ["-version"]).status === 0;

/** Has FFmpeg write the sound of `source` as `target`, whose ending says what container that is. */
export async function convertFile(
  source: string,
  target: string,
  options: readonly string[],
): Promise<void> {
  await promisify(execFile)("ffmpeg", ["-loglevel", "error", "-i", source, ...options, target]);
}

/** The offset of a box of an ISO media file, at the first place where its name is. */
export function findBox(file: Buffer, name: string): number {
  const at = file.indexOf(name, 0, "latin1");
  if (at < 0) throw new Error(`The file has no box ${name}`);
  return at;
}

/** Chooses files on the home page, in the dialog that it returns. */
export async function chooseMediaFiles(
  page: Page,
  files: Parameters<Locator["setInputFiles"]>[0],
): Promise<Locator> {
  await page.getByRole("button", { name: "Import sound or text", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a lecture" });
  await dialog.getByLabel("Choose files").setInputFiles(files);
  return dialog;
}

/** The card on the home page that says what becomes of files. */
export const getFileCard = (page: Page) =>
  page.getByRole("region", { name: "Sound and video files" });

/** Start and end, ms. */
interface TimedRow {
  original: string;
  startMs: number;
  endMs: number;
}

/** The rows of a file's lecture and its sound in seconds, as the server has them. */
export async function readRecognized(
  page: Page,
  title: string,
): Promise<{ entries: readonly TimedRow[]; usedTime: number }> {
  const { items } = await query(page, "lectures.list", { limit: 50 });
  const { id } = items.find((lecture: { title: string }) => lecture.title === title) ?? {};
  const { entries, usedTime } = await query(page, "lectures.get", { id });
  return { entries, usedTime };
}

/** Every word once, at its time. */
export function expectSpeech(entries: readonly TimedRow[], speech: LectureFixture): void {
  expect(entries.map(({ original }) => original)).toEqual(speech.sentences.map(({ text }) => text));
  for (const [index, { startMs }] of entries.entries())
    expect(Math.abs(startMs - (speech.sentences[index]?.startMs ?? 0))).toBeLessThan(200);
}
