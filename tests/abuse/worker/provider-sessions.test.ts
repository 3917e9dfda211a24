import { SELF } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sessions, usageLedger } from "#drizzle/schema.ts";
import { flushAndReauthorize } from "#server/recording/flush-and-reauthorize.ts";
import { planLimits } from "#server/recording/plan-limits.ts";
import { maxSessionsPerWindow } from "#server/recording/room/provider-session-budget.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import {
  addLecture,
  createGuest,
  createRecorder,
  createWrite,
  getRecordingUrl,
  Line,
  newSound,
  origin,
  readLedger,
  services,
  speech,
  streamConfig,
  upgrade,
} from "#tests/worker/recording/support.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";

/** Counts the speech service's sessions of these recordings. */
async function listSessions(...recordingIds: string[]) {
  const report = (await speech({})) as unknown as {
    sessions: { open: boolean; start: { client_reference_id?: string } | null }[];
  };
  const own = report.sessions.filter(({ start }) =>
    recordingIds.includes(start?.client_reference_id ?? ""),
  );
  return { opened: own.length, open: own.filter(({ open }) => open).length };
}

const listErrors = (line: Line) => line.received.filter((one) => one.type === "error");

describe("a flood of config messages", () => {
  test("is closed with 1008 and opens no provider session", async () => {
    const { lectureId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie });
    for (let count = 0; count < 200; count += 1)
      line.send({ ...streamConfig, diarization: count % 2 === 0, from: 0 });
    expect(await line.closing()).toMatchObject({ code: 1008 });
    expect(listErrors(line)).toMatchObject([{ code: "rate_limited", retryable: true }]);
    expect(await listSessions(lectureId)).toMatchObject({ opened: 0 });
  });

  test("opens no more sessions a minute than allowed, with audio after each message and on any number of sockets", async () => {
    const { lectureId, cookie } = await createRecorder();
    let seq = 0;
    for (let sockets = 0; sockets < 12; sockets += 1) {
      const line = await Line.open(lectureId, { cookie });
      line.send({ ...streamConfig, from: seq });
      await line.message("config_acknowledged");
      line.audio(seq, newSound());
      seq += 1;
      line.send({ ...streamConfig, diarization: false, from: seq });
      line.audio(seq, newSound());
      seq += 1;
      line.send({ type: "keepalive" });
    }
    await expect.poll(async () => (await readLedger(lectureId)).length).toBeGreaterThan(0);
    expect((await listSessions(lectureId)).opened).toBeLessThanOrEqual(maxSessionsPerWindow);
  });

  test("opens no new session if the configuration is unchanged", async () => {
    const { lectureId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie });
    line.send({ ...streamConfig, from: 0 });
    line.audio(0, newSound());
    await expect.poll(() => listSessions(lectureId)).toEqual({ opened: 1, open: 1 });
    for (let count = 0; count < 3; count += 1) line.send({ ...streamConfig, from: 1 });
    await line.until(() =>
      line.received.filter(({ type }) => type === "config_acknowledged").length === 4 ? true : null,
    );
    expect(await listSessions(lectureId)).toEqual({ opened: 1, open: 1 });
  });

  test("is limited per account and minute over many recordings", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const ids = [lectureId];
    while (ids.length < 16) ids.push(await addLecture(userId));
    for (const id of ids) {
      const response = await upgrade(getRecordingUrl(id), { cookie });
      if (!response.webSocket) continue;
      const line = new Line(response.webSocket);
      line.send({ ...streamConfig, from: 0 });
      line.audio(0, newSound());
      await expect.poll(() => readLedger(id)).toHaveLength(1);
      line.socket.close(1000);
      await expect.poll(async () => (await readLedger(id))[0]?.closedAt ?? null).not.toBeNull();
    }
    // The limiter's minute may end once meanwhile.
    expect((await listSessions(...ids)).opened).toBeLessThanOrEqual(2 * maxSessionsPerWindow);
  });
});

describe("streams without use", () => {
  test("are not opened or reserved by config alone", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const second = await addLecture(userId);
    for (const id of [lectureId, second]) {
      const line = await Line.open(id, { cookie });
      line.send({ ...streamConfig, from: 0 });
      await line.message("config_acknowledged");
    }
    expect(await listSessions(lectureId, second)).toMatchObject({ opened: 0 });
    expect(await readLedger(lectureId)).toEqual([]);
    const third = await upgrade(getRecordingUrl(await addLecture(userId)), { cookie });
    expect(third.status).toBe(101);
  });

  test("are no more than the plan's recordings when several sockets start at once", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const ids = [lectureId];
    while (ids.length < 5) ids.push(await addLecture(userId));
    const lines = await Promise.all(ids.map((id) => Line.open(id, { cookie })));
    for (const line of lines) {
      line.send({ ...streamConfig, from: 0 });
      await line.message("config_acknowledged");
    }
    for (const line of lines) for (let seq = 0; seq < 20; seq += 1) line.audio(seq, newSound());
    const refused = () => lines.filter((line) => line.closed?.code === 1008);
    await expect
      .poll(() => refused().length, { timeout: 10_000 })
      .toBe(ids.length - planLimits.free.maxRecordings);
    await expect
      .poll(async () => (await listSessions(...ids)).open, { timeout: 10_000 })
      .toBe(planLimits.free.maxRecordings);
  });

  test("are refused as `busy` to a recording that begins while all streams are taken", async () => {
    const now = new Date();
    const settings = { ...services.env, speech: { ...services.env.speech, streams: 1 } };
    const begin = async () => {
      const { userId, lectureId } = await createRecorder();
      const write = createWrite(lectureId, { payer: { userId, address: null } });
      const clock = { now: () => now };
      return flushAndReauthorize({ db: services.db, clock, env: settings }, write);
    };
    const begun = await Promise.all([begin(), begin(), begin()]);
    expect(begun.filter(({ refusal }) => refusal === null).length).toBeLessThanOrEqual(1);
    expect(await begin()).toMatchObject({ refusal: "busy" });
  });
});

describe("a revoked session", () => {
  async function startRecording() {
    const account = await openSignedIn();
    const lectureId = await addLecture(account.user.id);
    const line = await Line.open(lectureId, { cookie: account.browser.cookie ?? "" });
    line.send({ ...streamConfig, from: 0 });
    line.audio(0, newSound());
    await expect.poll(() => readLedger(lectureId)).toHaveLength(1);
    return { ...account, lectureId, line };
  }

  test("ends its recording at sign-out", async () => {
    const { trpc, line } = await startRecording();
    await trpc.auth.signOut.mutate();
    expect(await line.closing()).toMatchObject({ code: 1008 });
    expect(listErrors(line)).toMatchObject([{ code: "unauthenticated", retryable: false }]);
  });

  test("ends its recording when the account is deleted", async () => {
    const { trpc, line } = await startRecording();
    await trpc.auth.deleteAccount.mutate({ confirmation: "delete" });
    expect(await line.closing()).toMatchObject({ code: 1008 });
  });

  test("ends its recording when the password is changed on another device", async () => {
    const { line, credentials } = await startRecording();
    const elsewhere = openBrowser();
    await elsewhere.trpc.auth.signIn.mutate(credentials);
    await elsewhere.trpc.auth.changePassword.mutate({
      currentPassword: credentials.password,
      newPassword: "another horse battery",
    });
    expect(await line.closing()).toMatchObject({ code: 1008 });
  });

  test("opens no further provider session in a room that was not notified", async () => {
    const { user, line, lectureId } = await startRecording();
    await services.db.delete(sessions).where(eq(sessions.userId, user.id));
    line.send({ ...streamConfig, diarization: false, from: 1 });
    // The ledger segment is closed; the next audio opens another, which checks the session.
    await services.db
      .update(usageLedger)
      .set({ closedAt: new Date() })
      .where(eq(usageLedger.recordingId, lectureId));
    // More than an interval between two flushes, so that no time has to pass.
    for (let seq = 1; seq < 90; seq += 1) line.audio(seq, newSound());
    expect(await line.closing()).toMatchObject({ code: 1008 });
  });
});

describe("useless frames", () => {
  test("of one byte get a few answers and a close when 10,000 are sent", async () => {
    const { lectureId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie });
    for (let count = 0; count < 10_000; count += 1) line.socket.send(new Uint8Array([1]));
    expect(await line.closing()).toMatchObject({ code: 1008 });
    expect(listErrors(line).length).toBeLessThan(5);
  });

  test("without audio end the connection when they are too many", async () => {
    const { lectureId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie });
    line.send({ ...streamConfig, from: 0 });
    for (let count = 0; count < 1_000; count += 1) line.send({ type: "finalize" });
    expect(await line.closing()).toMatchObject({ code: 1008 });
    expect(listErrors(line)).toMatchObject([{ code: "rate_limited" }]);
    expect(line.received.length).toBeLessThan(700);
  });

  test("reject the sender from this recording for a while without reading the session", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie });
    for (let count = 0; count < 100; count += 1) line.socket.send("{");
    expect(await line.closing()).toMatchObject({ code: 1008 });
    const status = async (id: string) => (await upgrade(getRecordingUrl(id), { cookie })).status;
    expect(await status(lectureId)).toBe(429);
    expect(await status(await addLecture(userId))).toBe(101);
    await services.db.delete(sessions).where(eq(sessions.userId, userId));
    expect(await status(await addLecture(userId))).toBe(401);
    // The session's end is not looked up.
    expect(await status(lectureId)).toBe(429);
  });
});

test("limits an address's sockets per minute with any number of tickets", async () => {
  const from = { "cf-connecting-ip": `2001:db8:${crypto.randomUUID().slice(0, 4)}:3::7`, origin };
  const connect = async () => {
    const { recordingId, ticket } = await createGuest();
    const url = `${getRecordingUrl(recordingId)}?ticket=${ticket}`;
    return (await SELF.fetch(url, { headers: from })).status;
  };
  const statuses: number[] = [];
  while (statuses.length < 130 && !statuses.includes(429))
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, connect))));
  expect(statuses).toContain(429);
});

test("counts a room as recording while it flushes, even without new audio", async () => {
  const { userId, lectureId } = await createRecorder();
  const write = createWrite(lectureId, { payer: { userId }, period: "2026-11-01", startedAt: 0 });
  const at = (ms: number) => ({ now: new Date(ms), mode: "test" as const });
  const begin = Date.UTC(2026, 10, 20);
  await flushUsage(services.db, write, at(begin));
  await flushUsage(services.db, write, at(begin + 40_000));
  const other = { ...write, recordingId: await addLecture(userId) };
  expect(await flushUsage(services.db, other, at(begin + 80_000))).toMatchObject({
    otherRecordings: 1,
  });
});
