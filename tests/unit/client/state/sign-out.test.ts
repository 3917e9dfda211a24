// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signOutMessages } from "#client/i18n/sign-out/index.ts";
import { alerts, dismissAlert } from "#client/lib/notifications.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { TakeDatabase } from "#client/sound/takes/take-storage.ts";
import { recordingSession } from "#client/state/recording.ts";
import { confirmSignOut, signOut } from "#client/state/sign-out.ts";
import { LectureStore } from "#client/state/stored/lecture-store.ts";
import { setVisitor, visitor } from "#client/state/visitor.ts";
import { storedLecture } from "#tests/unit/client/kit/folders.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => vi.unstubAllGlobals());

it("signs out even if the recording could not be stopped", async () => {
  const server = fakeServer({ "auth.signOut": () => ({}) });
  visitor.set(createUser("one"));
  const session = holdRecording();
  session.reset.mockRejectedValue(new Error("The disk is full"));
  await signOut();
  expect(session.reset).toHaveBeenCalledWith({ quiet: true });
  expect(server.calls).toEqual(["auth.signOut"]);
  expect(visitor.get()).toEqual({ kind: "anonymous" });
  expect(session.dispose).toHaveBeenCalled();
  expect(recordingSession.get()).toBeNull();
});

it("deletes the lectures that are kept for times without a network", async () => {
  fakeServer({ "auth.signOut": () => ({}) });
  setVisitor(createUser("one"));
  const store = new LectureStore();
  const list = { key: "lectures all", lecture: null, text: "{}", storedAt: 0 };
  await import("#client/state/stored/stored-library.ts");
  await waitFor(async () => {
    await store.write("one", list);
    expect(await store.list("one")).toHaveLength(1);
  });
  await signOut();
  expect(await store.list("one")).toEqual([]);
});

it("asks before it ends another tab's recording, and waits until that is saved", async () => {
  const name = "dualect-recording-tab";
  const held: { name: string }[] = [];
  let grant = () => {};
  const request = vi.fn((_name: string, { mode }: LockOptions) => {
    if (mode === "shared") held.push({ name });
    return new Promise<void>((resolve) => {
      if (mode !== "shared") grant = resolve;
    });
  });
  vi.stubGlobal("navigator", { locks: { query: async () => ({ held }), request } });
  // The recording of this tab is no other one.
  holdRecording();
  const end = vi.fn();
  await confirmSignOut(end);
  expect(end).toHaveBeenCalledOnce();

  held.push({ name });
  await confirmSignOut(end);
  const [question] = alerts.get();
  dismissAlert();
  expect(end).toHaveBeenCalledOnce();
  question?.actions?.[0]?.run();
  expect(request.mock.calls.at(-1)?.[0]).toBe(name);
  expect(end).toHaveBeenCalledOnce();
  grant();
  await waitFor(() => expect(end).toHaveBeenCalledTimes(2));
});

it("asks before it discards a summary that is written and not saved", async () => {
  vi.stubGlobal("navigator", {});
  visitor.set(createUser("one"));
  const session = holdRecording();
  const { lecture } = session.openLecture(storedLecture("one"));
  lecture.editSummary("Mine.");
  const end = vi.fn();
  await confirmSignOut(end);
  const [question] = alerts.get();
  dismissAlert();
  expect(question?.title).toBe(signOutMessages.t("signOut.summary"));
  expect(end).not.toHaveBeenCalled();
  question?.actions?.[0]?.run();
  await waitFor(() => expect(end).toHaveBeenCalledOnce());

  lecture.editSummary(null);
  await confirmSignOut(end);
  await waitFor(() => expect(end).toHaveBeenCalledTimes(2));
  expect(alerts.get()).toEqual([]);
});

describe("a sign-out with audio that is not transcribed", () => {
  const openStorage = (userId: string) => new TakeDatabase(() => 1).openStorage(userId);
  const chunks = [0, 1, 2, 3].map((seq) => ({ seq, data: new Uint8Array(2) }));

  async function askWithSound() {
    fakeServer({ "auth.signOut": () => ({}) });
    visitor.set(createUser("one"));
    const session = holdRecording();
    for (const userId of ["one", "two"])
      await openStorage(userId).write(
        { ...newTake(userId, "lecture", "pcm_s16le"), nextSeq: 4 },
        chunks,
      );
    const end = vi.fn<(deletesSound: boolean) => Promise<void>>(signOut);
    await confirmSignOut(end);
    await waitFor(() => expect(alerts.get()).toHaveLength(1));
    const [question] = alerts.get();
    dismissAlert();
    return { session, end, question };
  }

  it("stops the recording and asks; closing the question signs nobody out", async () => {
    const { session, end, question } = await askWithSound();
    expect(session.stop).toHaveBeenCalled();
    expect(question?.text).toContain("2 秒");
    expect(end).not.toHaveBeenCalled();
  });

  it("deletes it if the person wants that, and nothing of another user", async () => {
    const { end, question } = await askWithSound();
    question?.actions?.find(({ destructive }) => destructive)?.run();
    await end.mock.results[0]?.value;
    expect(await openStorage("one").list()).toEqual([]);
    expect(await openStorage("two").list()).toHaveLength(1);
  });

  it("keeps it if the person wants that", async () => {
    const { end, question } = await askWithSound();
    question?.actions?.at(-1)?.run();
    await end.mock.results[0]?.value;
    expect(visitor.get()).toEqual({ kind: "anonymous" });
    expect(await openStorage("one").list()).toHaveLength(1);
  });

  it("names kept sound too, and deletes it with the rest", async () => {
    for (const userId of ["one", "two"])
      await openStorage(userId).write(
        { ...newTake(`kept ${userId}`, "lecture", "opus"), isKept: true, firstSeq: 4, nextSeq: 4 },
        chunks,
      );
    const { end, question } = await askWithSound();
    expect(question?.text).toMatch(/2 秒.*0\.1 MB/);
    question?.actions?.find(({ destructive }) => destructive)?.run();
    await end.mock.results[0]?.value;
    expect([await openStorage("one").list(), await openStorage("one").listKept()]).toEqual([
      [],
      [],
    ]);
    expect(await openStorage("two").listKept()).toHaveLength(1);
  });
});
