import { describe, expect, test, vi } from "vitest";
import { openPage, recordWords, startRecording, World } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

describe("a guest", () => {
  test("records and translates in the tab only, and must sign in to save", async () => {
    const { world, page } = await recordWords(12, { identity: "guest" });
    expect(page.text()).toBe(getExpectedText(12));
    expect(page.rows().every((row) => row.translation === "done")).toBe(true);
    expect(page.view).toMatchObject({ saveState: "local", lecture: null, status: "paused" });
    expect(world.server.lectures.size).toBe(0);
    expect(world.takes.takes.size).toBe(0);
    expect(page.session.canSave()).toBe(false);
    expect(page.kinds.at(-1)).toBe("signInRequired");
    expect(world.room.paths[0]).toBe(
      "/api/recordings/guest-recording?tab=tab-1&takeover=1&ticket=t1",
    );
    await page.reset();
    expect(page.kinds.at(-1)).toBe("newLectureReadyGuest");
    expect(page.rows()).toEqual([]);
  });

  test.each(["guest", "user"] as const)("has terms only as a user: %s", async (identity) => {
    const world = new World();
    const calls: string[] = [];
    world.server.before = (call) => void calls.push(call);
    const page = world.page({ identity });
    await page.recordWords(1, 12);
    expect(calls.includes("readGlossary")).toBe(identity === "user");
  });

  test("has something to lose while sound waits for its words, and nothing without sound", async () => {
    const { world, page } = openPage({ identity: "guest" });
    expect(page.session.hasUnsavedChanges()).toBe(false);
    world.room.refuses = "unavailable";
    await page.record();
    await page.say(1, 12);
    void page.session.stop();
    await vi.waitFor(() => expect(page.view.status).toBe("paused"));
    expect(page.rows()).toEqual([]);
    expect(page.session.hasUnsavedChanges()).toBe(true);
    await page.reset();
    expect(page.session.hasUnsavedChanges()).toBe(false);
  });

  test("is asked to sign in when opening a lecture, and continues recording", async () => {
    const { page } = await startRecording({ identity: "guest" });
    await page.load("lecture-1");
    expect(page.notices.at(-1)).toEqual({ kind: "signInRequired", for: "lectures" });
    expect(page.view).toMatchObject({ status: "recording", busy: null });
  });

  test("renews the ticket before it expires and reconnects with the new one", async () => {
    const { world, page } = openPage({ identity: "guest" });
    world.server.ticketMs = 120_000;
    await page.record();
    await page.say(1, 300);
    expect(world.server.tickets.length).toBeGreaterThan(1);
    expect(world.server.tickets[1]).toBe("t1");
    world.room.drop();
    await page.say(301, 320);
    expect(world.room.paths.at(-1)).not.toContain("ticket=t1");
    await page.stop();
    expect(page.text()).toBe(getExpectedText(320));
  });
});

describe("a guest who signs in", () => {
  test("gets the recording as a lecture of the account and can continue it", async () => {
    const { world, page: guest } = openPage({ identity: "guest" });
    await guest.recordWords(1, 12);
    guest.lecture.renameSpeaker("1", "Ito");
    const marks = [guest.lecture.addMark(null)];
    const takes = guest.recorded.list.get();
    expect(takes).toHaveLength(1);
    const transfer = guest.session.exportGuestTranscript();
    guest.session.dispose();
    expect(transfer?.rows).toHaveLength(3);
    const page = world.page({ guestTranscript: transfer });
    // The lists are read again at this notice, so the lecture must be complete by then.
    const storedAtNotice: unknown[] = [];
    page.session.onNotice(({ kind }) => storedAtNotice.push([kind, world.storedText()]));
    await world.clock.until(() => page.kinds.length > 0);
    expect(storedAtNotice).toEqual([["newLectureCreated", getExpectedText(12)]]);
    expect(page.view).toMatchObject({
      status: "paused",
      saveState: "saved",
      hasRecording: true,
      speakerNames: { 1: "Ito" },
    });
    expect(world.lecture()).toMatchObject({ speakerNames: { 1: "Ito" }, marks, takes });
    expect(page.lecture.marks.get()).toEqual(marks);
    expect(page.recorded.list.get()).toEqual(takes);
    await page.record();
    expect(page.kinds).toEqual(["newLectureCreated", "recordingResumed"]);
    await page.say(13, 20);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(20));
    expect(page.rows()[3]?.startMs).toBeGreaterThan(transfer?.finalMs ?? 0);
  });

  test("sees the lecture as unsaved until it can be created", async () => {
    const { world, page: guest } = openPage({ identity: "guest" });
    await guest.recordWords(1, 12);
    const transfer = guest.session.exportGuestTranscript();
    guest.session.dispose();
    world.server.fail("createLecture");
    const page = world.page({ guestTranscript: transfer });
    await world.clock.until(() => page.kinds.includes("createLectureFailed"));
    expect(page.view.saveState).toBe("failed");
    world.server.before = () => {};
    page.session.wake();
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.lecture()?.entries).toHaveLength(3);
  });

  test("has no transcript to transfer without any words", () => {
    const world = new World();
    expect(world.page({ identity: "guest" }).session.exportGuestTranscript()).toBeNull();
    expect(world.page().session.exportGuestTranscript()).toBeNull();
  });
});
