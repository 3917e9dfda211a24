import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { WorkerServices } from "#worker/services.ts";
import { createRecorder, getRoom, Line, newSound, speech, streamConfig } from "./support.ts";

it("paces the sessions of all rooms in one object", async () => {
  const openings = env.SPEECH_OPENINGS.getByName(crypto.randomUUID());
  expect(await openings.reserve("first", 1)).toBe(0);
  const waitMs = await openings.reserve("second", 1);
  expect(waitMs).toBeGreaterThan(55_000);
  expect(waitMs).toBeLessThanOrEqual(65_000);
});

it("counts an opening that the site defers once for its account", async () => {
  const { userId, lectureId, cookie } = await createRecorder();
  const line = await Line.open(lectureId, { cookie });
  const waits = [50, 50];
  const counted: string[] = [];
  await runInDurableObject(getRoom(lectureId), (room: object) => {
    const { services, env: bindings } = room as unknown as {
      services: WorkerServices;
      env: Cloudflare.Env;
    };
    const streams = {
      allow: async (key: string) => counted.push(key) > 0,
    };
    // Of this room alone: others need not wait.
    const limits = { ...services.limits, streams };
    const speech = { ...services.env.speech, openings: 1 };
    const reserve = async () => waits.shift() ?? 0;
    Object.assign(room, {
      services: { ...services, limits, env: { ...services.env, speech } },
      env: { ...bindings, SPEECH_OPENINGS: { getByName: () => ({ reserve }) } },
    });
  });
  line.send({ ...streamConfig, from: 0 });
  line.audio(0, newSound());
  await expect.poll(async () => JSON.stringify(await speech({}))).toContain(lectureId);
  expect(waits).toEqual([]);
  expect(counted).toEqual([`user:${userId}`]);
  line.socket.close(1000);
});
