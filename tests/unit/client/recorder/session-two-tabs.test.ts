import { expect, test } from "vitest";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { openPage, type Page, sayWords, World } from "./kit/harness.ts";
import { getExpectedText, range, wordsIn } from "./kit/simulated-room.ts";

/** Page A has said words 1 to 10 and stopped; page B has gone on with 11 to 20, and stopped. */
async function afterTheOther() {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  await a.recordWords(1, 10);
  await b.load("lecture-1");
  await b.recordWords(11, 20);
  expect(b.text()).toBe(getExpectedText(20));
  expect(a.text()).toBe(getExpectedText(10));
  return { world, a, b };
}

/** `page` takes over what the server has, as it does when it is told of a change. */
const catchUp = async (world: World, page: Page) =>
  page.lecture.updateFrom(await world.server.getLecture("lecture-1"));

test("shows the other tab's rows before its own, which go on", async () => {
  const { world, a } = await afterTheOther();
  await a.record();
  await a.say(21, 32);
  expect(a.session.hasUnsavedChanges()).toBe(true);
  await catchUp(world, a);
  expect(a.rows()).toHaveLength(6);
  // In the middle of a sentence: the recording and its live line go on.
  expect(a.view.status).toBe("recording");
  expect(a.lecture.transcript.live.get()).not.toBeNull();
  await a.say(33, 38);
  await a.stop();
  expect(world.storedText()).toBe(getExpectedText(38));
  expect(a.text()).toBe(getExpectedText(38));
  expect(world.entries()).toHaveLength(8);
  expect(world.entries().every((entry) => entry.translated === `«${entry.original}»`)).toBe(true);
  expect(a.rows().map((row) => row.translated)).toEqual(
    world.entries().map((entry) => entry.translated),
  );
  expect(a.rows().map((row) => row.position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(a.lecture.transcript.wordCount.get()).toBe(38);
  expect(a.view.saveState).toBe("saved");
  expect(a.session.hasUnsavedChanges()).toBe(false);
  expect(a.kinds).not.toContain("saveFailed");
});

test("assigns late translations to rows that have moved", async () => {
  const { world, a } = await afterTheOther();
  const answers: (() => void)[] = [];
  world.server.translation = (text) =>
    new Promise((resolve) => {
      answers.push(() => resolve(`«${text}»`));
    });
  await a.record();
  await a.say(21, 32);
  await world.clock.until(() => world.entries().length === 6);
  await catchUp(world, a);
  expect(
    a
      .rows()
      .map((row) => row.translation)
      .slice(4),
  ).toEqual(["waiting", "waiting"]);
  world.server.translation = (text) => Promise.resolve(`«${text}»`);
  for (const answer of answers) answer();
  await a.stop();
  expect(world.storedText()).toBe(getExpectedText(32));
  expect(world.entries().every((entry) => entry.translated === `«${entry.original}»`)).toBe(true);
});

test("shows unsent audio after a takeover and sends it later; rows follow the lecture's clock", async () => {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  await a.record();
  await a.say(1, 10);
  world.room.goDown();
  await a.say(11, 16);
  await b.load("lecture-1");
  world.room.refuses = null;
  await b.record();
  await b.say(51, 60);
  expect(b.view.connection).toBe("live");
  await world.clock.until(() => a.view.status === "paused");
  expect(a.kinds).toContain("recordingTakenOver");
  expect(a.kinds.at(-1)).toBe("recordingPaused");
  expect(a.view.unsentSeconds).toBeGreaterThan(0);
  // Neither the network nor a person who only looks takes the recording back, and they are told once.
  for (const word of [61, 62, 63, 64, 65]) {
    a.session.wake();
    await b.say(word, word);
  }
  expect(b.view.connection).toBe("live");
  expect(a.kinds.filter((kind) => kind === "recordingTakenOver")).toHaveLength(1);
  await b.stop();
  a.session.wake();
  await world.clock.until(() => a.view.unsentSeconds === 0 && a.view.saveState === "saved");
  const starts = world.entries().map(({ startMs }) => startMs);
  expect(starts).toEqual(starts.toSorted((x, y) => x - y));
  const words = wordsIn(world.storedText());
  expect(words.toSorted((x, y) => x - y)).toEqual([...range(1, 16), ...range(51, 65)]);
});

test("sends what waits after a takeover within ten minutes, also if nobody returns to the page", async () => {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  a.session.preload();
  await a.record();
  await a.say(1, 10);
  world.room.stalled = true;
  await a.say(11, 16);
  await b.load("lecture-1");
  world.room.stalled = false;
  await b.record();
  await b.say(51, 60);
  await world.clock.until(() => a.view.status === "paused");
  expect(a.view.unsentSeconds).toBeGreaterThan(0);
  await b.stop();
  await world.clock.advance(600_000);
  expect(a.view.unsentSeconds).toBe(0);
  const words = wordsIn(world.storedText());
  expect(words.toSorted((x, y) => x - y)).toEqual([...range(1, 16), ...range(51, 60)]);
});

test("does not overwrite unsent audio of another tab; both are transcribed", async () => {
  const { world, page: first } = openPage();
  await first.recordWords(1, 10);
  const open = await world.open();
  await first.record();
  await first.say(11, 15);
  world.room.goDown();
  await first.say(16, 25);
  first.close();
  world.room.refuses = null;

  await open.recordWords(31, 45);
  await world.clock.until(() => open.view.saveState === "saved");
  expect(open.text()).toContain(getExpectedText(45).slice(getExpectedText(30).length).trim());
  open.close();

  const last = await world.open();
  await world.clock.until(() => last.kinds.includes("soundRecovered"));
  await world.clock.until(() => last.view.saveState === "saved");
  const wordNumbers = wordsIn(last.text());
  for (let word = 1; word <= 25; word += 1) expect(wordNumbers).toContain(word);
  for (let word = 31; word <= 45; word += 1) expect(wordNumbers).toContain(word);
  expect(wordNumbers).toHaveLength(new Set(wordNumbers).size);
  last.close();

  const again = await world.open();
  await world.clock.advance(30_000);
  expect(again.kinds).toEqual([]);
  expect(wordsIn(again.text())).toEqual(wordNumbers);
});

test("transcribes the unsent audio of two closed tabs, although the room still answers for the first", async () => {
  const { world, page: first } = openPage();
  await first.recordWords(1, 10);
  const second = await world.open();
  await first.record();
  await first.say(11, 15);
  world.room.goDown();
  await first.say(16, 25);
  first.close();
  world.room.refuses = null;
  await second.record();
  await second.say(31, 45);
  world.room.goDown();
  await second.say(46, 60);
  second.close();
  world.room.refuses = null;
  await world.open();
  await world.clock.until(() => world.takes.takes.size === 0);
  const words = wordsIn(world.storedText());
  expect(words.toSorted((x, y) => x - y)).toEqual([...range(1, 25), ...range(31, 60)]);
});

test("sends what the previous take has left before the new take", async () => {
  const { world, page } = await sayWords(5);
  world.room.goDown();
  await page.say(6, 12);
  await page.stop();
  await page.load("lecture-1");
  await page.record();
  await page.say(13, 20);
  expect(world.takes.takes.size).toBe(2);
  world.room.refuses = null;
  await page.stop();
  await world.clock.until(() => page.text() === getExpectedText(20));
});

/** Both pages show a lecture of one sentence, A's words. */
async function readTwice() {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  await a.recordWords(1, 5);
  await b.load("lecture-1");
  const saved = (page: typeof a) => world.clock.until(() => page.view.saveState === "saved");
  return { world, a, b, saved };
}

test("what a person has corrected is stored within a second", async () => {
  const { world, b } = await afterTheOther();
  b.lecture.correctRow(0, { original: "Something else." });
  await world.clock.advance(900);
  expect(world.entries()[0]?.original).toBe("Something else.");
  b.lecture.correctRow(1, { translated: "by hand" });
  await world.clock.advance(900);
  expect(world.entries()[1]?.translated).toBe("by hand");
});

test("a correction of a sentence that another tab has corrected as often is kept: the later one counts", async () => {
  const { world, a, b, saved } = await readTwice();
  a.lecture.correctRow(0, { original: "The first." });
  await saved(a);
  b.lecture.correctRow(0, { original: "The second." });
  await saved(b);
  await world.clock.advance(10_000);
  expect(world.entries()[0]).toMatchObject({
    original: "The second.",
    translated: "«The second.»",
  });
  expect(b.rows()[0]?.original).toBe("The second.");
});

test("what another tab's person has written of the same sentence is offered, and used as a correction", async () => {
  const { world, a, b, saved } = await readTwice();
  a.lecture.correctRow(0, { original: "The first.", translated: "第一" });
  await saved(a);
  b.lecture.correctRow(0, { original: "The second." });
  await saved(b);
  expect(b.rows()[0]).toMatchObject({
    original: "The second.",
    translated: "第一",
    other: { original: "The first." },
  });
  await catchUp(world, a);
  expect(a.rows()[0]).toMatchObject({ original: "The second." });
  expect(a.rows()[0]?.other).toBeUndefined();
  b.lecture.correctRow(0, { original: "The first." });
  expect(b.rows()[0]?.other).toBeUndefined();
  await saved(b);
  expect(world.entries()[0]).toMatchObject({ original: "The first.", originalByHand: true });
});

test("a translation by a machine that comes late does not replace what a person has written in another tab", async () => {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  world.server.translation = () => new Promise(() => {});
  await a.record();
  await a.say(1, 12);
  await world.clock.until(() => world.entries().length === 2);
  const late = Promise.withResolvers<string>();
  world.server.translation = () => late.promise;
  await b.load("lecture-1");
  a.lecture.correctRow(0, { translated: "Mine." });
  await world.clock.until(() => world.entries()[0]?.translated === "Mine.");
  late.resolve("The machine's.");
  await world.clock.advance(10_000);
  expect(world.entries()[0]).toMatchObject({ translated: "Mine.", translatedByHand: true });
  expect(b.rows()[0]?.translated).toBe("Mine.");
});

test("a sentence that another tab has recognised again meanwhile stays if a person has corrected it here", async () => {
  const { world, a, b, saved } = await readTwice();
  await a.recordWords(6, 12);
  await saved(a);
  await catchUp(world, b);
  const deleted = world.entries().map(({ id, seq }) => ({ id, seq }));
  const entries = [createEntry("Heard again.", 3_000, { ordinal: 9 })];
  b.lecture.correctRow(0, { original: "Mine." });
  await world.server.saveRows({ lectureId: "lecture-1", entries, deleted });
  await saved(b);
  expect(world.entries().map(({ original }) => original)).toEqual(["Mine.", "Heard again."]);
  await catchUp(world, b);
  expect(b.rows().map(({ original }) => original)).toEqual(["Mine.", "Heard again."]);
  await catchUp(world, a);
  expect(a.text()).toBe(b.text());
  await world.clock.advance(60_000);
  expect(world.entries()).toHaveLength(2);
});

test("keeps the words of a take's first placement when it is placed again before any acknowledgement", async () => {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  await a.record();
  await a.say(1, 5);
  await b.load("lecture-1");
  world.room.drop();
  await b.record();
  await b.stop();
  await world.clock.until(() => a.view.connection === "live");
  await world.clock.advance(5_000);
  a.close();
  await world.open();
  await world.clock.until(() => world.takes.takes.size === 0);
  await world.clock.advance(5_000);
  expect(wordsIn(world.storedText())).toEqual([1, 2, 3, 4, 5]);
});

test("records here although audio of an earlier page is about to be sent without taking over", async () => {
  const world = new World();
  const [a, b] = [world.page(), world.page()];
  await a.record();
  await a.say(1, 5);
  await b.load("lecture-1");
  await b.record();
  world.room.goDown();
  await b.say(6, 10);
  b.close();
  world.room.refuses = null;
  await a.record();
  await a.say(11, 15);
  const c = await world.open();
  await world.clock.until(() => c.view.connection === "draining");
  await c.record();
  await c.say(16, 20);
  expect(c.view).toMatchObject({ status: "recording", connection: "live" });
  await c.stop();
  expect(wordsIn(world.storedText()).toSorted((x, y) => x - y)).toEqual(range(1, 20));
});
