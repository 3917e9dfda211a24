import fc from "fast-check";
import { expect, it } from "vitest";
import { hasEarphones } from "#client/reading/hearing/output.ts";
import { splitSpokenText } from "#client/reading/hearing/spoken-parts.ts";
import { behindMax, LiveQueue, type RowState } from "#client/reading/hearing/spoken-queue.ts";
import { choosePace, estimateMs, VoicePace } from "#client/reading/hearing/voice-pace.ts";
import { listVoicesFor } from "#client/reading/hearing/voices.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createVoice } from "#tests/unit/client/kit/simulated-voices.ts";

it("speaks each row once and in order, marks every other one, and lets two wait, whatever comes when", () => {
  const states = ["ready", "waiting", "nothing"] as const;
  /** Adds a row, changes one, lets time pass, or speaks. */
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("add" as const),
      state: fc.constantFrom(...states),
      at: fc.nat(3),
    }),
    fc.record({ kind: fc.constant("translate" as const), at: fc.nat(20) }),
    fc.record({ kind: fc.constant("take" as const), afterMs: fc.nat(6_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const rows: { id: string; state: RowState }[] = [];
      const queue = new LiveQueue<(typeof rows)[number]>(rows, ({ state }) => state);
      const spoken: string[] = [];
      let now = 0;
      const take = () => {
        const next = queue.take(now);
        if (!("row" in next)) return next.waitMs;
        expect(next.row.state).toBe("ready");
        spoken.push(next.row.id);
        return 0;
      };
      for (const [number, one] of steps.entries()) {
        if (one.kind === "add") {
          const at = Math.max(0, rows.length - one.at);
          rows.splice(at, 0, { id: `${number}`, state: one.state });
          queue.update(rows);
        } else if (one.kind === "translate") {
          const row = rows[one.at];
          if (row?.state !== "waiting") continue;
          row.state = "ready";
          queue.update(rows);
        } else {
          now += one.afterMs;
          take();
        }
        const open = rows.filter(
          ({ id, state }) => state === "ready" && !spoken.includes(id) && !queue.notSpoken.has(id),
        );
        expect(open.length).toBeLessThanOrEqual(behindMax);
        expect(queue.listReady()).toEqual(open);
      }
      for (let left = take(); left !== null; left = take()) now += left;
      expect(new Set(spoken).size).toBe(spoken.length);
      expect(spoken.filter((id) => queue.notSpoken.has(id))).toEqual([]);
      for (const { id, state } of rows)
        if (state === "ready") expect(spoken.includes(id) || queue.notSpoken.has(id)).toBe(true);
    }),
    { numRuns: countRuns(2_000) },
  );
});

it("splits text between clauses, so that no utterance is long, and loses no word of it", () => {
  const clause = "Eine Folge konvergiert genau dann, wenn sie beschränkt ist; ";
  const parts = splitSpokenText(clause.repeat(20));
  expect(parts.length).toBeGreaterThan(5);
  for (const part of parts) expect(estimateMs(part)).toBeLessThan(9_000);
  expect(parts.join(" ")).toBe(clause.repeat(20).trim());
  expect(splitSpokenText("Es sind 3,14 oder 1.000. Gut.")).toEqual([
    "Es sind 3,14 oder 1.000. Gut.",
  ]);
  expect(splitSpokenText("这是第一句，也是最长的一句。".repeat(6)).length).toBeGreaterThan(1);
  // Without a space or a mark.
  const unbroken = "字".repeat(500);
  expect(splitSpokenText(unbroken).join("")).toBe(unbroken);
  for (const part of splitSpokenText(unbroken)) expect(estimateMs(part)).toBeLessThan(9_000);
});

it("speaks formulas without their signs, and nothing where there is nothing to say", () => {
  expect(splitSpokenText("Sei $x^2 + \\alpha$ gegeben.").join()).not.toMatch(/[$\\^]/);
  for (const text of ["", " \n ", "…", "—?!", "🙂"]) expect(splitSpokenText(text)).toEqual([]);
  const signs = fc.constantFrom("a", "1", "字", "🙂", " ", "\n", "。", ",", "$", "\\", "{", "`");
  fc.assert(
    fc.property(fc.string({ unit: signs, maxLength: 300 }), (text) => {
      for (const part of splitSpokenText(text)) expect(part.trim()).not.toBe("");
    }),
    { numRuns: countRuns(200) },
  );
});

it("takes voices of the language, those on the device first, whatever browsers call it", () => {
  const voices = [
    createVoice("en-us"),
    createVoice("yue"),
    createVoice("zh-hk"),
    createVoice("zh-tw"),
    createVoice("zh-cn", { id: "remote", isLocal: false }),
    createVoice("zh-cn"),
    createVoice("cmn"),
    createVoice("pt-pt"),
    createVoice("pt-br"),
    createVoice("nb-no"),
    createVoice("iw-il"),
    createVoice("fil-ph"),
  ];
  const list = (language: TranslationLanguage, ...tags: string[]) =>
    listVoicesFor(voices, language, tags).map(({ tag, isLocal }) => (isLocal ? tag : `${tag}!`));
  expect(list("zh-cn")).toEqual(["zh-cn", "cmn", "zh-tw", "zh-cn!", "yue", "zh-hk"]);
  expect(list("zh")).toEqual(["zh-tw", "zh-cn", "cmn", "zh-cn!", "yue", "zh-hk"]);
  expect(list("pt", "pt-BR", "en")).toEqual(["pt-br", "pt-pt"]);
  expect(list("pt", "en")).toEqual(["pt-pt", "pt-br"]);
  expect(list("no")).toEqual(["nb-no"]);
  expect(list("he")).toEqual(["iw-il"]);
  expect(list("tl")).toEqual(["fil-ph"]);
  expect(list("ta")).toEqual([]);
});

it("learns how fast a voice is, and what it makes of a rate; absurd durations teach nothing", () => {
  const text = "Sentences of a usual length are spoken, one after the other, by a voice.";
  const pace = new VoicePace();
  const speak = (rate: number) => pace.learn(text, rate, (5_000 * 1.5) / rate ** 1.8);
  for (let n = 0; n < 30; n += 1) speak(n % 2 === 0 ? 1 : pace.getRate(1.3));
  expect(pace.predictMs(text)).toBeGreaterThan(7_000);
  expect(pace.predictMs(text)).toBeLessThan(8_000);
  expect(pace.getRate(1.3) ** 1.8).toBeGreaterThan(1.25);
  expect(pace.getRate(1.3) ** 1.8).toBeLessThan(1.35);
  const before = pace.getRate(1.3);
  for (const ms of [0, -5, Number.NaN, Number.POSITIVE_INFINITY, 1e9]) pace.learn(text, 1, ms);
  pace.learn("", 1, 3_000);
  expect(pace.getRate(1.3)).toBe(before);
});

it("hurries nobody beyond 1.3, unless the listener has chosen more", () => {
  expect(choosePace(1, 0, 1)).toBe(1);
  expect(choosePace(1, 60_000, 1)).toBe(1.3);
  expect(choosePace(0.8, 60_000, 1.3)).toBe(1.3);
  expect(choosePace(1.4, 60_000, 1.4)).toBe(1.4);
  // It slows down step by step.
  expect(choosePace(1, 0, 1.3)).toBeCloseTo(1.2);
});

it("knows earphones only by the name of the default output", async () => {
  const look = (...devices: [kind: string, deviceId: string, label: string][]) =>
    hasEarphones({
      enumerateDevices: async () =>
        devices.map(
          ([kind, deviceId, label]) =>
            ({ kind, deviceId, label, groupId: "" }) as unknown as MediaDeviceInfo,
        ),
    });
  expect(await look(["audiooutput", "default", "Default - Headphones (Realtek)"])).toBe(true);
  expect(await look(["audiooutput", "default", "Default - AirPods"])).toBe(true);
  expect(await look(["audiooutput", "default", "默认 - 耳机 (USB)"])).toBe(true);
  expect(await look(["audiooutput", "default", "Default - Speakers"])).toBe(false);
  expect(await look(["audiooutput", "other", "Headphones"])).toBe(false);
  expect(await look(["audioinput", "default", "Headset microphone"])).toBe(false);
  expect(await look(["audiooutput", "default", ""])).toBe(false);
  expect(await hasEarphones(undefined)).toBe(false);
  expect(await hasEarphones({ enumerateDevices: () => Promise.reject(new Error("no")) })).toBe(
    false,
  );
});
