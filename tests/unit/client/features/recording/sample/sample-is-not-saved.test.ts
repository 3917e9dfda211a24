// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SamplePlayer } from "#client/features/recording/sample/sample-player.ts";
import { currentSample, endSample } from "#client/features/recording/screen-state.ts";
import { hasGuestTranscript } from "#client/state/recording.ts";
import { World } from "#tests/unit/client/recorder/kit/harness.ts";

/** Every call that a session makes of the server. */
let calls: string[];
let world: World;

beforeEach(() => {
  calls = [];
  world = new World();
  world.server.before = (call) => {
    calls.push(call);
  };
});
afterEach(endSample);

/** A page that shows the sample, with two sentences already spoken. */
async function showSample(identity: "user" | "guest") {
  const page = world.page({ identity });
  const lecture = new SamplePlayer(world.clock, page.session, endSample);
  currentSample.set({ lecture, controls: null });
  lecture.play();
  await world.clock.until(() => lecture.transcript.length === 2);
  return { page, lecture };
}

describe.each(["user", "guest"] as const)("while a %s looks at the sample lecture", (identity) => {
  it("nothing can be saved, kept or handed over", async () => {
    const { page, lecture } = await showSample(identity);
    // As the Save shortcut and the Save button ask.
    expect(page.session.canSave()).toBe(false);
    await page.session.save("Sample");
    page.session.wake();
    for (const hide of page.hide) hide();
    await world.clock.advance(120_000);
    expect(page.session.exportGuestTranscript()).toBeNull();
    expect(page.session.hasUnsavedChanges()).toBe(false);
    expect(hasGuestTranscript()).toBe(false);
    // What the sample's own page could ask of its lecture.
    expect(await lecture.saveNow()).toBe(true);
    lecture.editSummary();
    await lecture.saveSummary();
    expect(lecture.addMark()).toBeNull();
    await world.clock.advance(120_000);
    expect(calls.filter((call) => call !== "issueGuestTicket")).toEqual([]);
    expect(world.server.lectures.size).toBe(0);
  });
});

it("a lecture that is begun from the sample has none of its sentences", async () => {
  const { page } = await showSample("user");
  await page.recordWords(1, 9);
  expect(currentSample.get()).toBeNull();
  const stored = world
    .lecture()
    ?.entries.map(({ original }) => original)
    .join(" ");
  expect(stored).toBe(page.text());
  expect(stored).not.toContain("Good morning");
});
