import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chunkSamples } from "#shared/limits.ts";
import { opusChunkMs } from "#shared/opus.ts";
import { getChunkMs } from "#shared/relay.ts";
import { encodeOpusChunks, toOggStream } from "#tests/fixtures/opus.ts";
import { createVoice } from "#tests/fixtures/voice.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";

const sampleRate = 16_000;
/** A service ends a sentence in it. */
const pauseMs = 2_000;

/** What is said, before and after a pause. */
const sentences = [
  "The entropy of a closed system does not fall with time.",
  "This is the second law.",
] as const;

export interface Sound {
  /** 16 kHz, mono, between -1 and 1. It ends in the middle of speech, so that a finalize has words to give. */
  samples: Float32Array;
  seconds: number;
  /** What made it. */
  source: string;
  /** What is said in it; null where it has no words. */
  text: string | null;
}

/**
 * Says the fixed sentences with `espeak-ng`. Where that is not installed: a voice that says no words, so that services may
 * find none.
 */
export async function createSound(): Promise<Sound> {
  const spoken = await Promise.all(sentences.map(speak)).catch(() => null);
  if (spoken === null) return createWordlessSound();
  return { ...joinParts(spoken), source: "espeak-ng", text: sentences.join(" ") };
}

/** A voice without words: the stand-ins hear the sample lecture in it. */
export function createWordlessSound(): Sound {
  const voices = [createVoice(5_000, sampleRate, 1), createVoice(2_500, sampleRate, 2)];
  return { ...joinParts(voices), source: "a voice without words", text: null };
}

function joinParts(parts: readonly Float32Array[]): Pick<Sound, "samples" | "seconds"> {
  const pause = new Float32Array((pauseMs * sampleRate) / 1_000);
  const all = parts.flatMap((part, index) => (index === 0 ? [part] : [pause, part]));
  const samples = new Float32Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, seconds: samples.length / sampleRate };
}

async function speak(text: string): Promise<Float32Array> {
  const folder = await mkdtemp(join(tmpdir(), "dualect-rehearsal-"));
  try {
    const file = join(folder, "speech.wav");
    await promisify(execFile)("espeak-ng", ["-v", "en-us", "-s", "140", "-w", file, text]);
    return trimEnd(readWav(await readFile(file)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Samples at 16 kHz of a WAV file of 16-bit mono PCM with a head of 44 bytes. */
export function readWav(file: Buffer): Float32Array {
  const rate = file.readUInt32LE(24);
  const pcm = new Int16Array(
    file.buffer.slice(file.byteOffset + 44, file.byteOffset + file.length),
  );
  const step = rate / sampleRate;
  return Float32Array.from({ length: Math.floor(pcm.length / step) }, (_, index) => {
    const at = Math.floor(index * step);
    const share = index * step - at;
    return ((pcm[at] ?? 0) * (1 - share) + (pcm[at + 1] ?? 0) * share) / 0x8000;
  });
}

/** Without the silence at the end. */
const trimEnd = (samples: Float32Array): Float32Array =>
  samples.subarray(0, samples.findLastIndex((value) => Math.abs(value) > 0.02) + 1);

/** What a stream is sent: as our rooms send it. */
export function chunkSound({ samples }: Sound, codec: "pcm_s16le" | "opus") {
  if (codec === "opus")
    return { chunks: toOggStream(encodeOpusChunks(samples)), chunkMs: opusChunkMs };
  const chunks = Array.from({ length: Math.ceil(samples.length / chunkSamples) }, (_, index) =>
    encodePcm16(samples.subarray(index * chunkSamples, (index + 1) * chunkSamples)),
  );
  return { chunks, chunkMs: getChunkMs(codec, sampleRate) };
}

const listWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** How many of the words that are said the service has found; nothing where none are. */
export function countFoundWords({ text }: Sound, found: string): Record<string, number> {
  if (text === null) return {};
  const heard = new Set(listWords(found));
  const said = listWords(text);
  return {
    "words said": said.length,
    "words found": said.filter((word) => heard.has(word)).length,
  };
}
