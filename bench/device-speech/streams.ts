import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FLACDecoder } from "@wasm-audio-decoders/flac";
import * as z from "zod";
import { captureSampleRate } from "#shared/limits.ts";
import { findWordTimes } from "./word-times.ts";

/** Human speech with what is said in it: for each stream `<name>.flac`, `<name>.txt` and `<name>.clips.json`. */

const clip = z.object({
  clip: z.string(),
  /** Seconds from the start of the stream. */
  start: z.number(),
  end: z.number(),
  /** What is said; empty: nobody speaks. */
  text: z.string(),
  /** Where each word lies, if somebody has found that out. */
  words: z.optional(z.array(z.object({ text: z.string(), start: z.number(), end: z.number() }))),
});
export type Clip = z.infer<typeof clip>;

export interface SpeechStream {
  name: string;
  /** Mono, at 16 kHz. */
  samples: Float32Array<ArrayBuffer>;
  /** In order. What lies between two of them is silence. */
  clips: readonly Clip[];
}

/** The folder that `option` or the environment variable `variable` names, or else `path` beside the checkout; null: none. */
export function findFolder(
  option: string | undefined,
  variable: string,
  path: string,
): string | null {
  const folder = option ?? process.env[variable];
  if (folder !== undefined && !existsSync(folder)) throw new Error(`There is no folder ${folder}`);
  const beside = resolve(import.meta.dirname, "../..", path);
  return folder ?? (existsSync(beside) ? beside : null);
}

export async function listStreams(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(".flac"))
    .map((file) => file.slice(0, -".flac".length))
    .toSorted();
}

export const getSoundPath = (folder: string, name: string) => join(folder, `${name}.flac`);

export async function readStream(folder: string, name: string): Promise<SpeechStream> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  const sound = await readFile(getSoundPath(folder, name));
  const { channelData, sampleRate } = await decoder.decodeFile(new Uint8Array(sound));
  decoder.free();
  const [samples] = channelData;
  if (samples === undefined || sampleRate !== captureSampleRate)
    throw new Error(`${name} is not mono at ${captureSampleRate} Hz`);
  const clips = z
    .array(clip)
    .parse(JSON.parse(await readFile(join(folder, `${name}.clips.json`), "utf8")))
    .map((one) => ({ ...one, words: one.words ?? findWordTimes(one) }));
  return { name, samples: new Float32Array(samples), clips };
}

/** All that is said. */
export const getText = ({ clips }: SpeechStream): string => clips.map(({ text }) => text).join(" ");

/** The clips that end within the first `seconds`, and the sound until shortly before the next one. */
export function cutStream({ name, samples, clips }: SpeechStream, seconds: number): SpeechStream {
  const kept = clips.filter(({ end }) => end <= seconds);
  const endSeconds = Math.min(seconds, clips[kept.length]?.start ?? seconds);
  return {
    name: `${name}, ${endSeconds.toFixed(0)} s`,
    samples: samples.slice(0, Math.floor(endSeconds * captureSampleRate)),
    clips: kept,
  };
}
