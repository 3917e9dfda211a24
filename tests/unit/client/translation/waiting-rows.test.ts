import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { ModelPause } from "#client/translation/model-pause.ts";
import { RowTranslator } from "#client/translation/row-translator.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** What becomes of a call: an answer after so many ms, or what it fails with. */
type Behaviour = number | "silent" | "unreachable" | "budget" | "failing" | "none";

const errors = {
  unreachable: () => new ApiError("unavailable", true),
  budget: () => new ApiError("model_budget_exhausted", true, { retryAfterSeconds: 8 * 3_600 }),
  failing: () => new ApiError("llm_failed", true),
  none: () => new NoTranslatorError(),
};

function setUp(behaviour: Behaviour = 100) {
  const clock = new ManualClock();
  const transcript = new Transcript();
  const world = { behaviour, calls: [] as string[] };
  const pause = new ModelPause({ clock, onExhausted() {} });
  const call = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const { behaviour: now } = world;
      world.calls.push(text);
      if (typeof now === "number") clock.after(now, () => resolve(`fr: ${text}`));
      else if (now !== "silent") reject(errors[now]());
    });
  const translate: SessionApi["translate"] = ({ text }) => pause.run(() => call(text));
  const translator = new RowTranslator({
    translate,
    transcript,
    clock,
    log: { warn() {} },
    wordContext: () => "",
    onRowChange() {},
    onFailed() {},
  });
  const say = (preview = "") => {
    const position = transcript.length;
    transcript.append([
      {
        id: `${position}`,
        ordinal: position,
        original: `Sentence ${position}.`,
        originalByHand: false,
        translated: "",
        translation: "waiting",
        translatedInto: null,
        spokenIn: "en",
        translatedByHand: false,
        speaker: null,
        startMs: position,
        endMs: position + 1,
        placeholder: { language: "fr", text: preview },
      },
    ]);
    translator.request(`${position}`, "fr");
  };
  const listRows = () => transcript.rows();
  const listBlank = () =>
    listRows().filter(
      ({ translation, placeholder }) =>
        translation === "waiting" && placeholder?.text === "" && placeholder.isLate,
    );
  const listBars = () =>
    listRows().filter(
      ({ translation, placeholder }) =>
        translation === "waiting" && placeholder?.text === "" && !placeholder.isLate,
    );
  return { clock, transcript, translator, world, pause, say, listRows, listBars, listBlank };
}

describe("a row that waits for its translation", () => {
  it("shows that for 15 s, and then nothing; the lecture says why", async () => {
    const { clock, say, translator, listBars, listBlank } = setUp("unreachable");
    say();
    await clock.advance(14_999);
    expect(listBars()).toHaveLength(1);
    expect(translator.missing.get()).toBeNull();
    await clock.advance(1);
    expect(listBars()).toHaveLength(0);
    expect(listBlank()).toHaveLength(1);
    expect(translator.missing.get()).toEqual({ position: 0, reason: "unavailable" });
  });

  it("shows nothing at once when nothing can translate, or the budget is used up", async () => {
    for (const [behaviour, reason] of [
      ["none", "none"],
      ["budget", "model_budget_exhausted"],
    ] as const) {
      const { clock, say, translator, listBars, listBlank } = setUp(behaviour);
      say();
      await clock.advance(0);
      say();
      expect(listBars()).toHaveLength(0);
      expect(listBlank()).toHaveLength(2);
      expect(translator.missing.get()).toEqual({ position: 0, reason });
      // Stop and saving do not wait for it.
      expect(translator.pendingCount).toBe(0);
    }
  });

  it("is translated as soon as a translator is there, once, and stays to be translated until then", async () => {
    const { clock, say, translator, world, listRows } = setUp("none");
    for (let count = 0; count < 6; count += 1) say();
    await clock.advance(3_600_000);
    expect(
      listRows().every(({ translation, translated }) => translation === "waiting" && !translated),
    ).toBe(true);
    world.behaviour = 100;
    world.calls.length = 0;
    translator.wake();
    await clock.advance(200);
    expect(listRows().every(({ translation }) => translation === "done")).toBe(true);
    expect(world.calls).toHaveLength(6);
    expect(translator.missing.get()).toBeNull();
  });

  it("shows a preview instead, and then no reason is told", async () => {
    const { clock, say, translator, listRows } = setUp("none");
    say("Une phrase");
    await clock.advance(60_000);
    expect(listRows()[0]?.placeholder).toEqual({
      language: "fr",
      text: "Une phrase",
      isLate: true,
    });
    expect(translator.missing.get()).toBeNull();
  });

  it("shows again that it waits, for another 15 s, when the person tries again", async () => {
    const { clock, say, translator, world, listBars, listBlank } = setUp("none");
    say();
    await clock.advance(60_000);
    world.behaviour = "silent";
    translator.retryAll();
    expect(listBars()).toHaveLength(1);
    expect(translator.missing.get()).toBeNull();
    await clock.advance(15_000);
    expect(listBlank()).toHaveLength(1);
    expect(translator.missing.get()).toEqual({ position: 0, reason: "slow" });
  });

  it("is told to be slow where translations come, but more than can be translated in time", async () => {
    const { clock, say, translator } = setUp(5_000);
    for (let count = 0; count < 40; count += 1) say();
    await clock.advance(16_000);
    // The newest are translated first: two at a time, as each takes 5 s.
    const missing = translator.missing.get();
    expect(missing).toEqual({ position: 2, reason: "slow", behindSeconds: 10 });
    for (let count = 0; count < 20; count += 1) await clock.advance(5_000);
    expect(translator.missing.get()).toBeNull();
  });

  it("says how long what was said last has waited, whatever was passed over", async () => {
    const { clock, say, transcript, translator } = setUp(8_000);
    for (let count = 0; count < 12; count += 1) {
      say();
      await clock.advance(4_000);
    }
    const missing = translator.missing.get();
    expect(missing).toMatchObject({ reason: "slow" });
    expect(missing?.behindSeconds).toBeLessThanOrEqual(15);
    for (let count = 0; count < 12; count += 1) await clock.advance(8_000);
    expect(translator.missing.get()).toBeNull();
    expect(transcript.rows().every(({ translation }) => translation === "done")).toBe(true);
  });

  it("keeps its time when a row comes before it", async () => {
    const { clock, say, transcript, translator } = setUp("silent");
    say();
    await clock.advance(10_000);
    const before = createRow({ id: "before", startMs: -1 });
    expect(transcript.add([before])).toBe(true);
    translator.onMoved();
    await clock.advance(5_000);
    expect(transcript.rows().map(({ placeholder }) => placeholder?.isLate)).toEqual([
      undefined,
      true,
    ]);
    expect(translator.missing.get()).toEqual({ position: 1, reason: "slow" });
  });

  it("is late in time when the system clock is set back", async () => {
    const { clock, say, listBars } = setUp("silent");
    say();
    await clock.advance(10);
    const now = clock.now.bind(clock);
    clock.now = () => now() - 3_600_000;
    await clock.advance(15_000);
    expect(listBars()).toHaveLength(0);
  });

  const behaviour = fc.oneof(
    fc.integer({ min: 0, max: 25_000 }),
    fc.constantFrom<Behaviour[]>("silent", "unreachable", "budget", "failing", "none"),
  );
  const step = fc.oneof(
    fc.record({ type: fc.constant("say" as const), preview: fc.constantFrom("", "", "aperçu") }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 60_000 }) }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.constant(700_000) }),
    fc.record({ type: fc.constant("behave" as const), behaviour }),
    fc.record({ type: fc.constantFrom("wake" as const, "retry" as const) }),
    fc.record({ type: fc.constant("correct" as const), at: fc.nat(20) }),
  );

  it("never shows its bar for more than 15 s, and never nothing without a reason", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { clock, transcript, translator, world, pause, say, listBars, listBlank } = setUp();
        let since = new Map<number, number>();
        let longestMs = 0;
        const check = () => {
          for (const at of since.values()) longestMs = Math.max(longestMs, clock.now() - at);
          const bars = listBars().map(({ position }) => position);
          since = new Map(bars.map((position) => [position, since.get(position) ?? clock.now()]));
        };
        transcript.blocks.subscribe(check);
        const expectTruth = () => {
          check();
          expect(longestMs).toBeLessThanOrEqual(15_000);
          expect(translator.missing.get()?.position).toBe(listBlank()[0]?.position);
        };
        const moveOn = async (ms: number) => {
          for (let left = ms; left > 0; left -= 5_000) {
            await clock.advance(Math.min(left, 5_000));
            expectTruth();
          }
        };
        for (const one of steps) {
          if (one.type === "say") say(one.preview);
          else if (one.type === "wait") await moveOn(one.ms);
          else if (one.type === "behave") world.behaviour = one.behaviour;
          else if (one.type === "correct")
            translator.correct(`${one.at}`, { original: `Corrected at ${clock.now()}` }, "fr");
          else {
            pause.wake();
            if (one.type === "wake") translator.wake();
            else {
              // The person wants to see it again.
              since.clear();
              translator.retryAll();
            }
          }
          expectTruth();
        }
        await moveOn(20_000);
        // Then it becomes possible to translate.
        world.behaviour = 10;
        await clock.advance(700_000);
        expect(transcript.rows().every(({ translation }) => translation !== "waiting")).toBe(true);
        expect(translator.missing.get()).toBeNull();
      }),
      { numRuns: countRuns(200) },
    );
  });
});
