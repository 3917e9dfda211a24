import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { sessions } from "#drizzle/schema.ts";
import { audioCodecs } from "#shared/relay.ts";
import { connectNewClient, expectWhole, findPause, sumLedger } from "./lecture-client.ts";
import type { RelayClient } from "./relay-client.ts";
import {
  getRoom,
  readLedger,
  readSnapshot,
  services,
  speech,
  spoken,
  spokenInOpus,
} from "./support.ts";

type Room = ReturnType<typeof getRoom>;

beforeEach(async () => {
  await speech({ reset: true });
});

test.each([
  ["takes", {}],
  ["does not take", { pace: 1 }],
])("sound that has waited comes back whole at a pace that the provider %s", async (_, control) => {
  // More than a provider's session takes at once.
  const lecture = spoken({ to: 100 });
  const { client, lectureId } = await connectNewClient(lecture);
  await speech(control);
  await client.finishInWindow();
  await expectWhole(client, lectureId, lecture);
  expect(client.connections).toBe(1);
  expect(client.received.filter((one) => one.type === "error")).toEqual([]);
});

describe.each(audioCodecs)("in %s", (codec) => {
  const lecture = codec === "opus" ? spokenInOpus() : spoken({ to: 30 });

  const newClient = () => connectNewClient(lecture);

  test("goes on after an abort during a session, from which the stored alarm wakes the room", async () => {
    const { client, lectureId } = await newClient();
    client.speak(40);
    await client.line.message("ack");
    await abortAllDurableObjects();
    expect(await runDurableObjectAlarm(getRoom(lectureId))).toBe(true);
    await client.restart();
    await client.finish();
    await expectWhole(client, lectureId, lecture);
    expect(await readLedger(lectureId)).toHaveLength(1);
  });

  test.each([{ errorNow: 503 }, { closeNow: 1006 }])(
    "goes on with words and speakers after %o of the provider",
    async (fault) => {
      const { client, lectureId } = await newClient();
      client.speak(40);
      await client.line.message("ack");
      await speech(fault);
      await client.finish();
      await expectWhole(client, lectureId, lecture);
      expect(client.connections).toBe(1);
      expect(client.received.filter((one) => one.type === "error")).toEqual([]);
    },
  );

  // The rest is the same for every codec: it creates no stream of sound anew.
  if (codec !== "opus") return;

  /**
   * A browser that has paused without leaving, and whose provider session is gone: an object with an
   * open connection of its own is not evicted.
   */
  async function pausedClient() {
    const connection = await newClient();
    const { client } = connection;
    client.speak(findPause(lecture, 30));
    client.line.send({ type: "finalize" });
    await client.line.message("finalized");
    await expect.poll(async () => (await speech({ closeNow: 1000 })).open).toBe(0);
    return connection;
  }

  test.each<[string, (client: RelayClient, room: Room) => Promise<void>]>([
    [
      "keeps its socket, and is asked to reconnect",
      async (client, room) => {
        await evictDurableObject(room);
        client.speak(45);
        expect(await client.line.closing()).toMatchObject({ code: 1012 });
      },
    ],
    [
      "loses its socket",
      async (client, room) => {
        await evictDurableObject(room, { webSockets: "close" });
        await client.line.closing();
      },
    ],
    [
      "is not told, and an alarm wakes the room twice",
      async (_, room) => {
        await evictDurableObject(room);
        expect(await runDurableObjectAlarm(room)).toBe(true);
        expect(await runDurableObjectAlarm(room)).toBe(true);
      },
    ],
  ])("goes on after an eviction in which the browser %s", async (_, evict) => {
    const { client, lectureId } = await pausedClient();
    await evict(client, getRoom(lectureId));
    await client.restart();
    await client.finish();
    await expectWhole(client, lectureId, lecture);
    expect(client.connections).toBe(2);
    expect(await readLedger(lectureId)).toHaveLength(1);
  });

  test("ends with 1008 when its session is signed out", async () => {
    const { client, userId, lectureId } = await newClient();
    client.speak(10);
    await expect.poll(() => readLedger(lectureId)).toHaveLength(1);
    await services.db.delete(sessions).where(eq(sessions.userId, userId));
    // A flush, which more than an interval of audio causes, checks the session.
    client.speak(100);
    expect(await client.line.message("error")).toMatchObject({ code: "unauthenticated" });
    expect(await client.line.closing()).toMatchObject({ code: 1008 });
  });

  test("stores no audio and no words", async () => {
    const { client, lectureId } = await newClient();
    client.speak(40);
    await client.line.message("ack");
    client.line.socket.close(1000);
    await expect.poll(() => sumLedger(lectureId)).toBe(40 * lecture.chunkMs);
    const saved = JSON.stringify(await readSnapshot(lectureId));
    expect(saved).not.toMatch(/one|two|three/);
    expect(saved.length).toBeLessThan(2_000);
  });
});
