import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { measureLevel } from "#client/sound/capture/level.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { encodeOpusChunk, opusPacketMs, opusPacketsPerChunk } from "#shared/opus.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";

const sampleRate = 16_000;
const chunkSamples = (opusPacketsPerChunk * opusPacketMs * sampleRate) / 1_000;

/** Turns the setting on for the pages that `page` opens next. */
export const keepSound = (page: Page) =>
  page.addInitScript(() => localStorage.setItem("keepSound", "true"));

type KeptChunk = { data: number[]; level: number };

/**
 * Encodes `samples` (16 kHz) as a recording does. To be called before the page is opened: it blocks the process, in
 * which the site's database runs.
 */
export const encodeKeptSound = (samples: Float32Array): KeptChunk[] =>
  encodeOpusChunks(samples).map((chunk, seq) => {
    const pcm = samples.subarray(seq * chunkSamples, (seq + 1) * chunkSamples);
    return {
      data: [...encodeOpusChunk(chunk)],
      level: measureLevel(pcm),
    };
  });

/**
 * Stores `chunks` as kept sound of the user of `page`, as a recording with the setting leaves it. The page must have
 * opened a lecture with the setting on, which creates the database; it shows the sound when it is opened again. Returns
 * the take's id.
 */
export async function storeKeptSound(
  page: Page,
  lectureId: string,
  chunks: readonly KeptChunk[],
  startMs = 0,
): Promise<string> {
  const take = {
    id: randomUUID(),
    lectureId,
    codec: "opus",
    isKept: true,
    createdAt: Date.now(),
    firstSeq: chunks.length,
    nextSeq: chunks.length,
    writtenAt: Date.now(),
    heldMs: chunks.length * chunkMs.opus,
    savedMs: chunks.length * chunkMs.opus,
    placements: [{ fromMs: 0, offsetMs: startMs }],
    bytes: chunks.reduce((sum, { data }) => sum + data.length, 0),
  };
  await page.evaluate(
    async ({ take, chunks, levelsPerBlock }) => {
      const session = await fetch("/trpc/auth.session");
      const userId = (await session.json()).result.data.user.id;
      const opening = indexedDB.open("dualect-takes");
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      const database = opening.result;
      const transaction = database.transaction(["takes", "chunks", "levels"], "readwrite");
      transaction.objectStore("takes").put({ ...take, userId });
      for (const [seq, { data }] of chunks.entries())
        transaction.objectStore("chunks").put({ takeId: take.id, seq, data: new Uint8Array(data) });
      for (let block = 0; block * levelsPerBlock < chunks.length; block += 1) {
        const part = chunks.slice(block * levelsPerBlock, (block + 1) * levelsPerBlock);
        const levels = new Uint8Array(levelsPerBlock);
        levels.set(part.map(({ level }) => level));
        transaction.objectStore("levels").put({ takeId: take.id, block, levels });
      }
      await new Promise((resolve) => transaction.addEventListener("complete", resolve));
      database.close();
    },
    { take, chunks, levelsPerBlock: 256 },
  );
  return take.id;
}
