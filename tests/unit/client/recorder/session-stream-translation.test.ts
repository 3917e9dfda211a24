import { describe, expect, test } from "vitest";
import type { SessionEngines } from "#client/recorder/session-ports.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import { openPage } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

/** A site whose speech service translates in its stream, and nothing else does. */
const engines: SessionEngines = {
  selectSpeech: async () => "service",
  translatesInStream: () => true,
  wrapLanguageCalls: (server) => ({
    ...server,
    translate: async () => {
      throw new NoTranslatorError();
    },
  }),
};

/** A page that was killed `ms` after it had heard `words` words, in the middle of a sentence. */
async function killPage(words: number, ms: number) {
  const { world, page } = openPage({ engines });
  // Its row is saved before.
  world.room.translationLagMs = 4_000;
  await page.record();
  // Sentences are longer than the sound that is sent twice anyway.
  for (let word = 1; word <= words; word += 1) {
    await page.sayChunk(word);
    await page.listen(1_000);
  }
  await page.listen(ms);
  page.close();
  return world;
}

describe("a recording that the speech service translates", () => {
  test("has every row translated", async () => {
    const { world, page } = openPage({ engines });
    world.room.translationLagMs = 1_500;
    await page.recordWords(1, 23);
    expect(page.text()).toBe(getExpectedText(23));
    for (const { original, translated, translation } of page.rows())
      expect({ translated, translation }).toEqual({
        translated: `«${original}»`,
        translation: "done",
      });
  });

  test("keeps the sound of a killed page until its translations are saved", async () => {
    for (const words of [10, 11, 12])
      for (let ms = 0; ms <= 4_000; ms += 500) {
        const world = await killPage(words, ms);
        const page = world.page({ engines });
        await page.load("lecture-1");
        await world.clock.until(() => !page.session.hasUnsavedChanges() && !page.view.busy);
        await world.clock.advance(30_000);
        const texts = page.rows().map(({ original, translated }) => ({ original, translated }));
        expect({ words, ms, texts }).toEqual({
          words,
          ms,
          texts: page.rows().map(({ original }) => ({ original, translated: `«${original}»` })),
        });
        expect(page.text()).toBe(getExpectedText(words));
        expect(world.takes.listLectureChunks("lecture-1")).toEqual([]);
      }
  });

  test("has the sentences translated during which another page took it over, and all before", async () => {
    const { world, page } = openPage({ engines });
    const other = world.page({ engines });
    world.room.translationLagMs = 5_000;
    await page.record();
    await page.say(1, 12);
    await world.clock.until(() => world.entries().length === 2);
    expect(page.rows().map(({ translated }) => translated)).toEqual(["", ""]);
    await other.load("lecture-1");
    await other.record();
    await other.say(51, 60);
    await other.stop();
    expect(page.kinds).toContain("recordingTakenOver");
    page.close();
    const again = world.page({ engines });
    await again.load("lecture-1");
    await world.clock.until(() => !again.session.hasUnsavedChanges() && !again.view.busy);
    await world.clock.advance(30_000);
    const whole = again.rows().filter(({ original }) => original.endsWith("."));
    expect(whole).toHaveLength(4);
    expect(whole.map(({ translated }) => translated)).toEqual(
      whole.map(({ original }) => `«${original}»`),
    );
  });
});
