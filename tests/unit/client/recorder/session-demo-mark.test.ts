import { describe, expect, test } from "vitest";
import { openPage } from "./kit/harness.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { range, wordsIn } from "./kit/simulated-room.ts";

/** A page of a site in which the demo voice takes the speech service's place. */
function openDemoPage(options?: Parameters<typeof openPage>[0]) {
  const opened = openPage(options);
  opened.world.room.isDemoVoice = true;
  return opened;
}

describe("a lecture that the demo voice writes into", () => {
  test("is marked with its first words, on the page and on the server", async () => {
    const { world, page } = openDemoPage();
    await page.record();
    expect(page.view.hasDemoText).toBe(false);
    await page.say(1, 12);
    expect(page.view.hasDemoText).toBe(true);
    await page.stop();
    expect(world.lecture()?.hasDemoText).toBe(true);
  });

  test("stays marked when another engine goes on, and the next lecture is not", async () => {
    const { world, page } = openDemoPage();
    await page.recordWords(1, 12);
    world.room.isDemoVoice = false;
    await page.recordWords(13, 20);
    expect(page.view.hasDemoText).toBe(true);
    const marked = page.view.lecture?.id;
    await page.reset();
    await page.recordWords(1, 12);
    expect(page.view.hasDemoText).toBe(false);
    await page.load(marked ?? "");
    expect(page.view.hasDemoText).toBe(true);
  });

  test("is not marked by a service", async () => {
    const { world, page } = openPage();
    await page.recordWords(1, 12);
    expect(page.view.hasDemoText).toBe(false);
    expect(world.lecture()?.hasDemoText).toBe(false);
  });

  test("stays marked as a new lecture, when it was deleted elsewhere", async () => {
    const { world, page } = openDemoPage();
    await page.recordWords(1, 12);
    world.room.isDemoVoice = false;
    world.server.lectures.delete("lecture-1");
    page.lecture.correctRow(0, { translated: "我的" });
    await world.clock.until(() => page.kinds.includes("lectureDeletedElsewhere"));
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    await world.clock.until(() => page.view.saveState === "saved");
    expect(page.view.hasDemoText).toBe(true);
    expect(world.lecture(page.view.lecture?.id)?.hasDemoText).toBe(true);
  });
});

/** A site whose only recognition is the demo voice, which nobody has chosen. */
function createUnchosenDemo() {
  const { world, page, ...speech } = setUpNumbered();
  Object.assign(world.room, { isDemoVoice: true, needsDemoChoice: true });
  return { world, page, ...speech };
}

describe("a recording for the service of a site that has only a demo", () => {
  test("gets none of its words: the sound waits, is not sent, and another engine recognises it", async () => {
    const { world, page, say, pause } = createUnchosenDemo();
    await page.record();
    await say(30);
    expect(page.view).toMatchObject({
      status: "recording",
      waitingSeconds: 7,
      unsentSeconds: 0,
      hasDemoText: false,
      speechProblem: { engine: "service", reason: "demoOnly" },
    });
    expect(page.text()).toBe("");
    expect(world.room.getLengthMs("/api/recordings/lecture-1")).toBe(0);
    await page.finish(page.session.recognizeWith("device"));
    await say(10);
    await pause();
    await page.stop();
    expect(wordsIn(page.text())).toEqual(range(1, 40));
    expect(page.view).toMatchObject({ speechProblem: null, hasDemoText: false, waitingSeconds: 0 });
    expect(world.lecture()?.hasDemoText).toBe(false);
  });

  test("stops at once, and says later what has no words", async () => {
    const { page, say } = createUnchosenDemo();
    await page.record();
    await say(20);
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", waitingSeconds: 5, connection: "idle" });
    expect(page.kinds).toContain("recordingPaused");
    await page.listen(60_000);
    expect(page.text()).toBe("");
  });

  test("gets them where the person chooses them", async () => {
    const { page, say, pause } = createUnchosenDemo();
    await page.record({ engine: "demo" });
    await say(12);
    await pause();
    await page.stop();
    expect(wordsIn(page.text())).toEqual(range(1, 12));
    expect(page.view).toMatchObject({ hasDemoText: true, speechProblem: null });
  });
});

test("a guest's lecture is marked in the account from the call that creates it on", async () => {
  const { world, page: guest } = openDemoPage({ identity: "guest" });
  await guest.recordWords(1, 12);
  expect(guest.view.hasDemoText).toBe(true);
  const guestTranscript = guest.session.exportGuestTranscript();
  guest.session.dispose();
  world.room.isDemoVoice = false;
  world.server.fail("updateLecture");
  const page = world.page({ guestTranscript });
  await world.clock.until(() => page.view.lecture !== null);
  expect(page.view.hasDemoText).toBe(true);
  expect(world.lecture()?.hasDemoText).toBe(true);
});
