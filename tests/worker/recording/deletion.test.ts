import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { unscheduledRooms } from "#drizzle/schema.ts";
import { scheduleOldRoomDeletions } from "#server/recording/schedule-old-room-deletions.ts";
import { getShareRoom, ReaderPage, shareLecture } from "#tests/worker/sharing/support.ts";
import { useUp } from "#tests/worker/support/limits.ts";
import { connectNewClient, sumLedger } from "./lecture-client.ts";
import { RelayClient } from "./relay-client.ts";
import {
  createGuest,
  createRecorder,
  getRoom,
  readLedger,
  readSnapshot,
  services,
  spoken,
} from "./support.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const listStored = (room: DurableObjectStub) =>
  runInDurableObject(room, async (_, { storage }) => ({
    keys: [...(await storage.list()).keys()],
    tables: storage.sql
      .exec("select name from sqlite_master where type = 'table' and name = 'items'")
      .toArray().length,
    alarm: await storage.getAlarm(),
  }));
const nothing = { keys: [], tables: 0, alarm: null };

/** Makes what the room has stored `ageMs` old; null: as a version that did not note it. */
async function ageStorage(recordingId: string, ageMs: number | null): Promise<void> {
  await evictDurableObject(getRoom(recordingId));
  await runInDurableObject(getRoom(recordingId), async (_, { storage }) => {
    const { storedAt, ...snapshot } = (await storage.get("room")) as { storedAt: number };
    const stored = ageMs === null ? snapshot : { ...snapshot, storedAt: storedAt - ageMs };
    await storage.put("room", stored);
    if (ageMs === null) await storage.deleteAlarm();
    else await storage.setAlarm(Date.now() + 1_000);
  });
  await evictDurableObject(getRoom(recordingId));
}

const getAlarm = (room: DurableObjectStub) =>
  runInDurableObject(room, (_, { storage }) => storage.getAlarm());

async function recordLecture() {
  const audio = spoken({ to: 4 });
  const recording = await connectNewClient(audio);
  await recording.client.finish();
  await expect
    .poll(async () => (await readLedger(recording.lectureId)).every((row) => row.closedAt))
    .toBe(true);
  return { ...recording, audio };
}

describe("what a recording's room has stored", () => {
  test("is deleted within a day after its last use, and a later recording is counted beside it", async () => {
    const { lectureId, userId, cookie, audio } = await recordLecture();
    expect(await readSnapshot(lectureId)).toMatchObject({ payer: { userId } });
    expect(await getAlarm(getRoom(lectureId))).toBeLessThan(Date.now() + dayMs);
    await ageStorage(lectureId, 19 * hourMs);
    expect(await runDurableObjectAlarm(getRoom(lectureId))).toBe(true);
    expect(await readSnapshot(lectureId)).toMatchObject({ payer: { userId } });
    await ageStorage(lectureId, hourMs);
    expect(await runDurableObjectAlarm(getRoom(lectureId))).toBe(true);
    expect(await listStored(getRoom(lectureId))).toEqual(nothing);

    await evictDurableObject(getRoom(lectureId));
    const again = new RelayClient(lectureId, { cookie }, audio);
    await again.connect();
    await again.finish();
    await expect.poll(() => sumLedger(lectureId)).toBe(2 * audio.chunks.length * 256);
  });

  test("wakes nobody before, also after a recording that got no session", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    await useUp(services.limits.streams, `user:${userId}`);
    const client = new RelayClient(lectureId, { cookie }, spoken({ to: 4 }));
    await client.connect();
    client.speak(1);
    await client.line.message("tokens");
    client.line.socket.close(1000);
    const isClosed = async () => (await readLedger(lectureId)).map((row) => row.closedAt !== null);
    await expect.poll(isClosed).toEqual([true]);
    await runDurableObjectAlarm(getRoom(lectureId));
    expect(await getAlarm(getRoom(lectureId))).toBeGreaterThan(Date.now() + 12 * hourMs);
  });

  test("is deleted at once if it cannot be read", async () => {
    const { recordingId } = await createGuest();
    await runInDurableObject(getRoom(recordingId), (_, { storage }) =>
      storage.put("room", { version: 2, owner: { userId: "somebody" } }),
    );
    await evictDurableObject(getRoom(recordingId));
    await expect.poll(() => listStored(getRoom(recordingId))).toEqual(nothing);
  });

  test("gets its date of deletion by the cron if an earlier version stored it", async () => {
    const { lectureId } = await recordLecture();
    await ageStorage(lectureId, null);
    await services.db.insert(unscheduledRooms).values({ kind: "recording", id: lectureId });
    expect(await scheduleOldRoomDeletions(services)).toMatchObject({ failed: 0 });
    expect(await services.db.$count(unscheduledRooms, eq(unscheduledRooms.id, lectureId))).toBe(0);
    const alarm = await getAlarm(getRoom(lectureId));
    expect(alarm).toBeGreaterThan(Date.now() + 12 * hourMs);
    expect(alarm).toBeLessThan(Date.now() + dayMs);
    expect((await readSnapshot(lectureId)).storedAt).not.toBeNull();
  });
});

describe("what the object of a share has stored", () => {
  test("is deleted with the share", async () => {
    const { code, share, trpc, lectureId } = await shareLecture();
    const reader = await ReaderPage.open({ code });
    await expect.poll(() => reader.texts).toHaveLength(2);
    await trpc.shares.end.mutate({ lectureId });
    await expect.poll(() => reader.end).toBe("ended");
    expect(await listStored(getShareRoom(share.id))).toEqual(nothing);
    // Late news does not bring it back.
    await getShareRoom(share.id).reportChange(share.id, { rows: null });
    await evictDurableObject(getShareRoom(share.id));
    await getShareRoom(share.id).reportChange(share.id, { rows: null, isCompleted: true });
    await expect.poll(() => listStored(getShareRoom(share.id))).toEqual(nothing);
  });

  test("is deleted within a day if the object was not told, also of an earlier version", async () => {
    const { code, share, trpc, lectureId } = await shareLecture();
    const reader = await ReaderPage.open({ code });
    await expect.poll(() => reader.texts).toHaveLength(2);
    reader.socket.close(1000);
    await trpc.lectures.rename.mutate({ id: lectureId, title: "Waves" });
    const room = getShareRoom(share.id);
    expect(await getAlarm(room)).toBeLessThan(Date.now() + dayMs);
    await services.db.execute(sql`delete from shares where id = ${share.id}`);
    await evictDurableObject(room);
    await runInDurableObject(room, (_, { storage }) => storage.deleteAlarm());
    await services.db.insert(unscheduledRooms).values({ kind: "share", id: share.id });
    await scheduleOldRoomDeletions(services);
    await expect.poll(() => listStored(room)).toEqual(nothing);
  });
});
