import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { lectures } from "#drizzle/schema.ts";
import { RelayClient } from "./relay-client.ts";
import { createRecorder, type SpokenLecture as Lecture, readLedger, services } from "./support.ts";

/** A browser that is connected to the room of a new lecture. */
export async function connectNewClient(lecture: Lecture) {
  const { lectureId, cookie, userId } = await createRecorder();
  const client = new RelayClient(lectureId, { cookie }, lecture);
  await client.connect();
  return { client, lectureId, userId, cookie };
}

const isWordAt = ({ words }: Lecture, ms: number) =>
  words.some((word) => word.startMs - 20 < ms && word.endMs + 20 > ms);

/** The first chunk from `from` on that begins in a pause between two words. */
export function findPause(lecture: Lecture, from: number): number {
  let seq = from;
  while (isWordAt(lecture, seq * lecture.chunkMs)) seq += 1;
  return seq;
}

/** The first chunk from `from` on that begins inside a word. */
export function findWord(lecture: Lecture, from: number): number {
  const isInside = (ms: number) =>
    lecture.words.some((word) => word.startMs + 100 < ms && word.endMs - 100 > ms);
  let seq = from;
  while (!isInside(seq * lecture.chunkMs)) seq += 1;
  return seq;
}

export const sumLedger = async (lectureId: string) =>
  (await readLedger(lectureId)).reduce((sum, row) => sum + row.recordedMs, 0);

/** Expects every word once and in order, and every second counted once. */
export async function expectWhole(client: RelayClient, lectureId: string, lecture: Lecture) {
  expect(client.words.trim()).toBe(lecture.text);
  const recordedMs = client.chunks.length * lecture.chunkMs;
  await expect.poll(() => sumLedger(lectureId)).toBe(recordedMs);
  await expect
    .poll(async () => {
      const rows = await services.db.select().from(lectures).where(eq(lectures.id, lectureId));
      return rows[0]?.usedTime;
    })
    .toBe(Math.round(recordedMs / 1_000));
}
