import { beforeEach, describe, expect, test, vi } from "vitest";
import { SamplePlayer } from "#client/features/recording/sample/sample-player.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { sampleOpening } from "#shared/sample-lecture.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

let clock: ManualClock;
let view: Signal<SessionView>;
let sample: SamplePlayer;
const onLeave = vi.fn<() => void>();

const change = (values: Partial<SessionView>) => view.set({ ...view.get(), ...values });
const getRows = () => sample.transcript.rows();
const getStatus = () => sample.view.get().status;

beforeEach(() => {
  onLeave.mockClear();
  clock = new ManualClock();
  view = new Signal({ status: "ready", busy: null, targetLanguage: "de" } as SessionView);
  sample = new SamplePlayer(clock, { view }, onLeave);
});

describe("SamplePlayer", () => {
  test("shows every sentence with its written translation, and stops at the end", async () => {
    sample.play();
    expect(getStatus()).toBe("recording");
    await clock.until(() => getStatus() === "paused", 300_000);
    expect(getRows()).toMatchObject(
      sampleOpening.map(({ speaker, original, translations }) => ({
        original,
        translated: translations.de,
        translatedInto: "de",
        speaker: String(speaker + 1),
      })),
    );
    expect(sample.isFinished).toBe(true);
  });

  test("shows words at the pace of speech, with a preview of the translation", async () => {
    sample.play();
    await clock.until(() => getRows().length === 2);
    await clock.advance(3_000);
    expect(sample.transcript.live.get()).toMatchObject({
      finalText: "Why does a cup of coffee cool",
      interimText: " down,",
      preview: "Warum kühlt eine Tasse",
    });
    change({ targetLanguage: "ja" });
    expect(sample.transcript.live.get()?.preview).toBe("一杯のコーヒーはなぜ冷めるの");
  });

  test("turns the live line into a row without a change of its text", async () => {
    sample.play();
    await clock.until(() => getRows().length === 3);
    await clock.until(() => sample.transcript.live.get()?.interimText === "");
    const live = sample.transcript.live.get();
    await clock.until(() => getRows().length === 4);
    expect(getRows()[3]).toMatchObject({ original: live?.finalText, translated: live?.preview });
    expect(sample.transcript.live.get()).toBeNull();
  });

  test("stands still while it is paused", async () => {
    sample.play();
    await clock.advance(3_000);
    sample.pause();
    const getWords = () => sample.transcript.live.get()?.finalText;
    expect(getWords()).toBe("Today");
    await clock.advance(60_000);
    expect(getStatus()).toBe("paused");
    expect(getWords()).toBe("Today");
    sample.play();
    await clock.advance(500);
    expect(getWords()).toBe("Today we");
  });

  test("takes on the session's language, also in rows that are shown already", async () => {
    sample.play();
    await clock.until(() => getRows().length === 3);
    change({ targetLanguage: "ar" });
    expect(sample.view.get().targetLanguage).toBe("ar");
    expect(getRows().map((row) => row.translated)).toEqual(
      sampleOpening.slice(0, 3).map(({ translations }) => translations.ar),
    );
    change({ targetLanguage: "none" });
    await clock.until(() => getRows().length === 4);
    expect(getRows().at(-1)?.translation).toBe("none");
  });

  test.each([{ busy: "starting" }, { status: "recording" }, { busy: "loading" }] as const)(
    "leaves the page to a session with %j",
    (values) => {
      sample.play();
      change({ unsentSeconds: 1 });
      expect(onLeave).not.toHaveBeenCalled();
      change(values);
      expect(onLeave).toHaveBeenCalledOnce();
    },
  );

  test("does nothing any more after it was ended", async () => {
    sample.play();
    sample.dispose();
    const live = sample.transcript.live.get();
    await clock.advance(5_000);
    expect(sample.transcript.live.get()).toBe(live);
    change({ busy: "starting" });
    expect(onLeave).not.toHaveBeenCalled();
  });
});
