import { expect, it } from "vitest";
import { TakeWords } from "#client/recognition/take-words.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { newTake, type StoredTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import type { RelayToken, RelayTokens } from "#shared/relay.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";
import { sound } from "#tests/unit/client/recorder/kit/simulated-room.ts";
import { createTakeDeps } from "#tests/unit/client/recorder/kit/take-deps.ts";

const codec = "pcm_s16le";

/** A page with one take of 10 s, whose words it shows. */
function openPage(stored = new MemoryTakes(), record?: StoredTake) {
  const deps = { ...createTakeDeps(), storage: stored.openStorage("user-1") };
  const take = record
    ? new Take(deps, record, { heldMs: record.heldMs })
    : new Take(deps, newTake("take", "lecture", codec));
  const shown = { text: "", endMs: 0, translatedMs: [] as number[][] };
  const words = new TakeWords(
    {
      settings: () => ({ diarization: false, lectureEndMs: shown.endMs }),
      openSource: () => ({
        addTokens({ tokens, translations = [] }) {
          shown.translatedMs.push(
            ...translations.map(({ start_ms, end_ms }) => [start_ms, end_ms]),
          );
          shown.text += tokens.map(({ text }) => text).join("");
          shown.endMs = Math.max(shown.endMs, ...tokens.map(({ end_ms = 0 }) => end_ms));
        },
        endSentence() {},
        close() {},
      }),
    },
    () => {},
  );
  words.open(true);
  if (record === undefined) {
    while (take.lengthMs < 10_000) take.append(sound(0), 1);
    take.place(0);
  }
  return { stored, take, words, shown };
}

const token = (text: string, startMs: number): RelayToken => ({
  text: ` ${text}`,
  is_final: true,
  start_ms: startMs,
  end_ms: startMs + 300,
});
const batch = (finalMs: number, ...tokens: RelayToken[]): RelayTokens => ({
  type: "tokens",
  tokens,
  audio_final_proc_ms: finalMs,
  audio_total_proc_ms: finalMs,
});

it("leaves out what another engine has given, and after a reload nothing more", async () => {
  const { stored, take, words, shown } = openPage();
  take.acknowledgeUntil(2_000);
  take.leaveRest("we measure the heat", 4_000);
  words.add(batch(3_500, token("the", 2_500), token("heat", 3_000)), take);
  words.add(batch(5_000, token("of", 4_500)), take);
  expect(shown.text).toBe(" of");
  await take.whenWritten();
  const [record] = stored.list("lecture");
  if (record === undefined) throw new Error("no stored take");
  const next = openPage(stored, record);
  next.take.place(0);
  next.words.add(batch(6_000, token("heat", 5_200), token("flows", 5_600)), next.take);
  expect(next.shown.text).toBe(" heat flows");
});

it("goes on leaving it out after a reload before its end", async () => {
  const { stored, take, words, shown } = openPage();
  take.acknowledgeUntil(2_000);
  take.leaveRest("we measure the heat", 4_000);
  words.add(batch(2_400), take);
  expect(shown.text).toBe("");
  await take.whenWritten();
  const [record] = stored.list("lecture");
  if (record === undefined) throw new Error("no stored take");
  const next = openPage(stored, record);
  next.take.place(0);
  const tokens = [token("the", 2_500), token("heat", 3_000), token("flows", 4_200)];
  next.words.add(batch(5_000, ...tokens), next.take);
  expect(next.shown.text).toBe(" flows");
});

it("leaves out a word that the other engine gave before its sound was captured", () => {
  const { take, words, shown } = openPage();
  take.acknowledgeUntil(2_000);
  take.leaveRest("we measure the heat", 4_000);
  words.add(batch(4_100, token("measure", 3_000), token("the", 3_500)), take);
  words.add(batch(4_600, token("heat", 4_100)), take);
  words.add(batch(5_500, token("of", 4_900)), take);
  expect(shown.text).toBe(" of");
});

it("leaves out what another engine hears again, also after a reload", async () => {
  const { stored, take, words, shown } = openPage();
  take.endWords(5_000);
  words.add(batch(4_500, token("heat", 4_000)), take);
  await take.whenWritten();
  const [record] = stored.list("lecture");
  if (record === undefined) throw new Error("no stored take");
  const next = openPage(stored, record);
  next.take.place(20_000);
  next.words.add(batch(26_000, token("flows", 24_600), token("on", 25_100)), next.take);
  expect([shown.text, next.shown.text]).toEqual([" heat", " flows"]);
});

it("finds sentences that were on the page before another take came where they are", async () => {
  const { stored, take, words } = openPage();
  words.add(batch(4_500, token("heat", 4_000)), take);
  await take.whenWritten();
  const [record] = stored.list("lecture");
  if (record === undefined) throw new Error("no stored take");
  const next = openPage(stored, record);
  next.take.place(20_000);
  const sentence = { text: "chaleur", language: "fr", state: "final" } as const;
  const translations = [
    { ...sentence, start_ms: 21_000, end_ms: 24_300 },
    { ...sentence, start_ms: 24_600, end_ms: 27_000 },
  ];
  next.words.add({ ...batch(28_000), translations }, next.take, true);
  expect(next.shown.translatedMs).toEqual([
    [1_000, 4_300],
    [24_600, 27_000],
  ]);
});

it("keeps a word that was said again after a pause, which the other engine has not heard", () => {
  const { take, words, shown } = openPage();
  take.acknowledgeUntil(6_000);
  take.leaveRest("we measure the heat", 2_000);
  expect(take.firstUnsent * chunkMs[codec]).toBeGreaterThan(2_000);
  words.add(batch(7_000, token("heat", 6_500)), take);
  expect(shown.text).toBe(" heat");
});
