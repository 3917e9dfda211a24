import fc from "fast-check";
import { expect, test } from "vitest";
import type { ShareReading } from "#client/features/live/share-connection.ts";
import { SharedLecture } from "#client/features/live/shared-lecture.ts";
import type { SharedRow, SharedTranslation } from "#shared/share.ts";
import type { ShareView } from "#shared/share-view.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { row } from "./rows.ts";

const uno = { position: 0, text: "Uno." };

const byPosition = <T extends { position: number }>(items: readonly T[]) =>
  new Map(items.map((item) => [item.position, item]));

const speakerNames = { "1": "Ada" };

function createReading(
  rows: readonly SharedRow[],
  translations: readonly SharedTranslation[],
  over: Partial<ShareView> = {},
  end: ShareReading["end"] = null,
): ShareReading {
  const view: ShareView = {
    epoch: "1",
    seq: 1,
    language: "es",
    isLanguageRefused: false,
    pagesLeft: 0,
    end: null,
    lecture: {
      title: "Entropy",
      speakerNames,
      sourceLanguage: "en",
      targetLanguage: "zh-cn",
      isTwoWay: false,
      mode: "while_recording",
      mayCopy: true,
      languages: [],
    },
    summary: null,
    status: "live",
    isTranslationPaused: false,
    live: null,
    rows: byPosition(rows),
    translations: byPosition(translations),
    ...over,
  };
  return { view, connection: "open", end, language: view.language, refused: null };
}

const show = (...readings: ShareReading[]) => {
  const lecture = new SharedLecture(new ManualClock());
  for (const reading of readings) lecture.update(reading);
  return lecture;
};

test("shows each row with its translation, or what has become of it", () => {
  const rows = show(
    createReading([row(0), row(1), row(2)], [uno, { position: 1, text: null, hasFailed: true }]),
  ).transcript.rows();
  expect(rows.map(({ translation, translatedInto }) => [translation, translatedInto])).toEqual([
    ["done", "es"],
    ["failed", null],
    ["waiting", null],
  ]);
});

test("has a reader's language of a two-way lecture in the second column, and no other one there", () => {
  const { lecture } = createReading([], []).view ?? {};
  if (!lecture) throw new Error("no lecture");
  const pair = { sourceLanguage: "de", targetLanguage: "en", isTwoWay: true } as const;
  const twoWay = { ...lecture, ...pair };
  const pairFor = (language: "en" | "de" | "fr") => {
    const { sourceLanguage, targetLanguage, isTwoWay } = show(
      createReading([], [], { language, lecture: twoWay }),
    ).view.get();
    return [sourceLanguage, targetLanguage, isTwoWay];
  };
  expect(pairFor("en")).toEqual(["de", "en", true]);
  expect(pairFor("de")).toEqual(["en", "de", true]);
  expect(pairFor("fr")).toEqual(["de", "fr", false]);
});

test("shows the original alone where no translation is wanted, needed, or will come today", () => {
  const spoken = { ...row(0), spokenIn: "es" } as const;
  expect(show(createReading([spoken], [])).transcript.row(0)?.translation).toBe("none");
  const none = show(createReading([row(0)], [], { language: "none" }));
  expect(none.transcript.rows()[0]?.translation).toBe("none");
  const paused = show(createReading([row(0), row(1)], [uno], { isTranslationPaused: true }));
  expect(paused.transcript.rows().map(({ translation }) => translation)).toEqual(["done", "none"]);
  const fragment = show(createReading([row(0)], [{ position: 0, text: "" }]));
  expect(fragment.transcript.row(0)).toMatchObject({ translation: "none", translatedInto: null });
});

test("reserves space for translations that come while the page is open, and not for others", () => {
  const first = createReading([row(0)], [uno]);
  const next = createReading([row(0), row(1)], [uno]);
  const last = createReading([row(0), row(1)], [uno, { position: 1, text: "Dos." }]);
  expect(show(first).transcript.rows()[0]?.placeholder).toBeUndefined();
  const waiting = show(first, next).transcript.rows()[1];
  expect(waiting).toMatchObject({
    translation: "waiting",
    placeholder: { language: "es", text: "" },
  });
  const done = show(first, next, last).transcript.rows()[1];
  expect(done).toMatchObject({ translation: "done", placeholder: { language: "es", text: "" } });
});

test("shows the earlier translation of a corrected sentence until the new one comes", () => {
  const before = createReading([row(0)], [uno]);
  const after = createReading([row(0, "Corrected.")], [{ position: 0, text: null }]);
  expect(show(before, after).transcript.rows()[0]).toMatchObject({
    original: "Corrected.",
    translation: "waiting",
    placeholder: { language: "es", text: "Uno." },
  });
});

test("drops the translations of another language", () => {
  const before = createReading([row(0)], [uno]);
  const after = createReading([row(0)], [], { language: "fr" });
  const lecture = show(before, after);
  expect(lecture.view.get().targetLanguage).toBe("fr");
  expect(lecture.transcript.rows()[0]).toMatchObject({
    translation: "waiting",
    translated: "",
    placeholder: { language: "fr", text: "" },
  });
});

test("follows through a pause, and stops when the recording or the share is over", () => {
  const status = (over: Partial<ShareView>, end: ShareReading["end"] = null) =>
    show(createReading([row(0)], [], over, end)).view.get().status;
  expect(status({ status: "live" })).toBe("recording");
  expect(status({ status: "paused" })).toBe("recording");
  expect(status({ status: "waiting" })).toBe("recording");
  expect(status({ status: "finished" })).toBe("paused");
  expect(status({ status: "live" }, "ended")).toBe("paused");
});

test("keeps unchanged rows and blocks, so that they do not render again", () => {
  const rows = Array.from({ length: 120 }, (_, position) => row(position));
  const lecture = new SharedLecture(new ManualClock());
  lecture.update(createReading(rows, []));
  const before = lecture.transcript.blocks.get();
  lecture.update(createReading(rows.with(110, row(110, "Corrected.")), []));
  const after = lecture.transcript.blocks.get();
  expect(after.map((block, index) => block === before[index])).toEqual([true, true, false]);
  const words = lecture.view.get();
  lecture.update(
    createReading(rows, [], {
      live: { finalText: "a", interimText: "b", spokenIn: "en", speaker: null, startMs: 0 },
    }),
  );
  expect(lecture.view.get()).toBe(words);
  expect(lecture.transcript.live.get()).toMatchObject({ finalText: "a", preview: "" });
});

test("has every received row once and in order, however the pages come", () => {
  const toRows = (positions: readonly number[]) => positions.map((position) => row(position));
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(200), { minLength: 1 }), fc.nat(200), (positions, cut) => {
      const late = positions.slice(0, cut);
      const lecture = show(
        createReading(toRows(positions.slice(cut)), [], { pagesLeft: 1 }),
        createReading(toRows([...positions.slice(cut), ...late]), []),
      );
      const rows = lecture.transcript.rows();
      expect(rows.map(({ ordinal }) => ordinal)).toEqual(
        [...positions].sort((one, other) => one - other),
      );
      expect(rows.map(({ position }) => position)).toEqual([...positions.keys()]);
    }),
  );
});

test("shows a row that comes late in the place of its time, and leaves those before it as they are", () => {
  const rows = [row(0), row(2), row(3)];
  const lecture = show(createReading(rows, [uno]));
  const [first] = lecture.transcript.rows();
  const late = { ...row(4), startMs: row(2).startMs - 1 };
  lecture.update(createReading([...rows, late], [uno]));
  const shown = lecture.transcript.rows();
  expect(shown.map(({ id, position }) => [id, position])).toEqual([
    ["0", 0],
    ["4", 1],
    ["2", 2],
    ["3", 3],
  ]);
  expect(shown[0]).toBe(first);
});

test("shows no longer than 15 s that a translation is coming, then once why it is not there", async () => {
  const clock = new ManualClock();
  const lecture = new SharedLecture(clock);
  const isLate = () => lecture.transcript.rows().map(({ placeholder }) => placeholder?.isLate);
  lecture.update(createReading([row(0), row(1)], [uno]));
  await clock.advance(14_999);
  expect(isLate()).toEqual([undefined, undefined]);
  await clock.advance(1);
  expect(isLate()).toEqual([undefined, true]);
  expect(lecture.missingTranslations.get()).toEqual({ position: 1, reason: "slow" });
  // A new sentence does not change that.
  lecture.update(createReading([row(0), row(1), row(2)], [uno]));
  expect(isLate()).toEqual([undefined, true, undefined]);
  const all = [0, 1, 2].map((position) => ({ position, text: "Texto." }));
  lecture.update(createReading([row(0), row(1), row(2)], all));
  expect(lecture.missingTranslations.get()).toBeNull();
  expect(clock.timers).toBe(0);
});

test("waits anew in another language, and for nothing once sharing has ended", async () => {
  const clock = new ManualClock();
  const lecture = new SharedLecture(clock);
  lecture.update(createReading([row(0)], []));
  await clock.advance(15_000);
  lecture.update(createReading([row(0)], [], { language: "de" }));
  expect(lecture.missingTranslations.get()).toBeNull();
  await clock.advance(15_000);
  expect(lecture.missingTranslations.get()).toEqual({ position: 0, reason: "slow" });
  lecture.update(createReading([row(0)], [], { language: "de" }, "ended"));
  expect(lecture.missingTranslations.get()).toBeNull();
  expect(lecture.transcript.rows()[0]?.translation).toBe("none");
});
