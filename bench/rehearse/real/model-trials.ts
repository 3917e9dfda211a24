import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { askLectures } from "#bench/ask/lectures.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import { rowsPerCallMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { openModelPage, openTranscript, writeSummary } from "./model-page.ts";
import type { ModelServer } from "./model-server.ts";
import type { ModelSite } from "./model-site.ts";
import type { ModelWatch, WatchedCall } from "./model-watch.ts";

/** What the product makes of a real, small and slow language model: live translations and a long summary. */

export interface ModelTrial {
  name: string;
  /** Of llama-server, beside a window of 2,048 tokens. */
  options: readonly string[];
  run(scene: Scene): Promise<TrialReport>;
}

interface Scene {
  site: ModelSite;
  server: ModelServer;
  watch: ModelWatch;
  /** Of a long lecture. */
  words: number;
}

export interface TrialReport {
  figures: string[];
  /** What does not hold. */
  faults: string[];
}

/** A word of a lecture at 150 words a minute. */
const wordMs = 400;
const liveMs = 60_000;
/** Rows that were passed over are translated in this time after the last word. */
const restMaxMs = 240_000;
/**
 * Share that may be aborted of the page's requests for rows, and of the calls that reach the model. A preview whose line
 * becomes a row is withdrawn on purpose.
 */
const abortedMax = 0.05;
/** Presses of the button until a summary is there. A model answers differently each time. */
const pressesMax = 3;

const english = askLectures
  .filter(({ spokenIn }) => spokenIn === "en")
  .flatMap(({ rows }) => rows.map(({ original }) => original));

export const modelTrials: readonly ModelTrial[] = [
  { name: "a minute of speech into French, default slots", options: [], run: speak("fr") },
  { name: "a minute of speech into Chinese, -np 1", options: ["-np", "1"], run: speak("zh-cn") },
  { name: "a minute of speech beside a summary", options: [], run: speakBesideSummary },
  { name: "a long summary, default slots", options: [], run: summarize("none") },
  { name: "a long summary, -np 1", options: ["-np", "1"], run: summarize("none") },
  { name: "a summary in Chinese, of 900 words", options: [], run: refuseSummary },
  { name: "the server killed in the middle of a summary", options: [], run: killServer },
];

function speak(language: TranslationLanguage) {
  return async ({ site, watch }: Scene): Promise<TrialReport> => {
    const page = openModelPage(site);
    const live = await speakForAMinute(page, language);
    return judgeLive(live, { page, watch, site });
  };
}

async function speakBesideSummary({ site, watch, words }: Scene): Promise<TrialReport> {
  const page = openModelPage(site);
  const lecture = await storeLecture(site, words / 4);
  const summary = writeSummary(page, { ...lecture, into: "none" });
  await untilAnswered(watch, 1, summary);
  const live = await speakForAMinute(page, "fr");
  const report = judgeLive(live, { page, watch, site });
  const { notice, text } = await summary;
  report.figures.push(`beside it: ${notice}, ${text.length} characters`);
  if (text === "" && notice === "summaryGenerated") report.faults.push("the summary is empty");
  return report;
}

interface Live {
  rows: number;
  /** Their originals. */
  texts: ReadonlySet<string>;
  waiting: number;
  failed: number;
  /** Times from a row's end to its translation, s, in the order in which they came. */
  waits: number[];
  /** From the last word to the last translation, s. */
  restSeconds: number;
  /** Requests for a row while a later one had not been asked for. */
  behindOlder: number;
  /** What the page has said of missing translations. */
  said: string[];
}

/** Says a minute of a lecture, a word after the other, each interim at first, and waits for the translations. */
async function speakForAMinute(
  page: ReturnType<typeof openModelPage>,
  language: TranslationLanguage,
): Promise<Live> {
  const writer = openTranscript(page, language);
  const { transcript, translator } = writer;
  const source = writer.openSource(() => {});
  const about = {
    diarization: false,
    languages: { language: "en", secondLanguage: null },
  } as const;
  const words = english.flatMap((sentence) => sentence.split(" "));
  const endedAt: number[] = [];
  const waits: number[] = [];
  const seen = new Set<number>();
  const said = new Set<string>();
  let behindOlder = 0;
  let checked = page.requests.length;
  const first = checked;
  const look = () => {
    for (const row of transcript.rows()) {
      endedAt[row.position] ??= performance.now();
      if (row.translation === "waiting" || seen.has(row.position)) continue;
      seen.add(row.position);
      waits.push((performance.now() - (endedAt[row.position] ?? 0)) / 1_000);
    }
    const missing = translator.missing.get();
    if (missing !== null)
      said.add(
        missing.behindSeconds === undefined
          ? missing.reason
          : `behind by ${missing.behindSeconds} s`,
      );
    for (; checked < page.requests.length; checked += 1) {
      const rows = transcript.rows();
      const asked = new Set(page.requests.slice(first, checked + 1).map(({ text }) => text));
      const at = rows.find(({ original }) => original === page.requests[checked]?.text)?.position;
      // Of rows that were there before the request was made.
      const isPassed = rows.some(
        ({ position, original, translation }) =>
          at !== undefined &&
          position > at &&
          translation === "waiting" &&
          !asked.has(original) &&
          (endedAt[position] ?? 0) < (page.requests[checked]?.startedAt ?? 0) - 100,
      );
      if (isPassed) behindOlder += 1;
    }
  };
  const watching = setInterval(look, 20);
  try {
    const since = performance.now();
    for (let index = 0; index * wordMs < liveMs; index += 1) {
      const at = index * wordMs;
      const toToken = (word: string, is_final: boolean, start_ms: number) => ({
        text: ` ${word}`,
        is_final,
        start_ms,
        end_ms: start_ms + wordMs,
      });
      const [word = "", next = ""] = words.slice(index, index + 2);
      source.addTokens(
        {
          type: "tokens",
          tokens: [toToken(word, true, at), toToken(next, false, at + wordMs)],
          audio_final_proc_ms: at + wordMs,
          audio_total_proc_ms: at + wordMs,
        },
        about,
      );
      await delay(Math.max(0, since + at + wordMs - performance.now()));
    }
    source.endSentence();
    const stoppedAt = performance.now();
    while (translator.pendingCount > 0 && performance.now() - stoppedAt < restMaxMs)
      await delay(100);
    look();
    const rows = transcript.rows();
    return {
      rows: rows.length,
      texts: new Set(rows.map(({ original }) => original)),
      waiting: rows.filter(({ translation }) => translation === "waiting").length,
      failed: rows.filter(({ translation }) => translation === "failed").length,
      waits,
      restSeconds: (performance.now() - stoppedAt) / 1_000,
      behindOlder,
      said: [...said],
    };
  } finally {
    clearInterval(watching);
    writer.dispose();
  }
}

function judgeLive(
  live: Live,
  {
    page,
    watch,
    site,
  }: { page: ReturnType<typeof openModelPage>; watch: ModelWatch; site: ModelSite },
): TrialReport {
  const calls = watch.calls.filter(({ isStream }) => !isStream);
  const ofRows = page.requests.filter(({ text }) => live.texts.has(text));
  const countAborted = (requests: typeof page.requests) =>
    requests.filter(({ outcome }) => outcome === "aborted").length;
  const aborted = countAborted(ofRows);
  const hungUp = calls.filter(({ outcome }) => outcome === "aborted").length;
  const sorted = live.waits.toSorted((a, b) => a - b);
  const faults: string[] = [];
  if (live.rows < 5) faults.push(`only ${live.rows} rows were spoken`);
  if (live.waiting > 0) faults.push(`${live.waiting} rows wait for ever`);
  if (live.behindOlder > 0) faults.push(`${live.behindOlder} times an older row came first`);
  if (aborted > abortedMax * ofRows.length) faults.push("too many requests were aborted");
  if (hungUp > abortedMax * calls.length) faults.push("too many calls of the model were ended");
  if (live.said.some((reason) => !isTrue(reason, live)))
    faults.push(`the page has said: ${live.said.join(", ")}`);
  return {
    figures: [
      `${live.rows} rows: ${live.rows - live.failed - live.waiting} translated, ${live.failed} left out`,
      `${ofRows.length} requests for rows, ${aborted} aborted`,
      `${page.requests.length - ofRows.length} for previews, ${countAborted(page.requests) - aborted} withdrawn`,
      `${calls.length} calls of the model, ${hungUp} ended early, ${Math.round(sum(calls, "prompt"))} tokens in, ${sum(calls, "answer")} out`,
      `a row waited ${format(sorted[Math.floor(sorted.length / 2)])} s (median), ${format(sorted.at(-1))} s at most`,
      `the last one came ${format(live.restSeconds)} s after the last word`,
      live.said.length > 0 ? `the page said: ${live.said.join(", ")}` : "the page said nothing",
      ...describeLog(site),
    ],
    faults,
  };
}

/** What the page may say: that it is late, and of what the model answers that it is no translation, where that is so. */
const isTrue = (reason: string, { failed }: Live) =>
  reason.startsWith("behind") || reason === "slow" || (reason === "llm_unusable" && failed > 0);

function summarize(into: TargetLanguage) {
  return async ({ site, watch, words }: Scene): Promise<TrialReport> => {
    const page = openModelPage(site);
    const lecture = await storeLecture(site, words);
    const since = performance.now();
    const pressed = await pressUntilWritten(page, { ...lecture, into });
    return judgeSummary(pressed, { watch, site, since, words });
  };
}

async function refuseSummary({ site, watch }: Scene): Promise<TrialReport> {
  const page = openModelPage(site);
  const words = 900;
  const lecture = await storeLecture(site, words);
  const since = performance.now();
  const { notice, text } = await writeSummary(page, { ...lecture, into: "zh-cn" });
  const report = judgeSummary([{ notice, text }], { watch, site, since, words });
  // A model of this size writes no Chinese: what matters is that nothing else is shown in its place.
  const isChinese = (text.match(/\p{sc=Han}/gu)?.length ?? 0) > text.length / 5;
  const faults = text === "" || isChinese ? [] : ["a summary in another language is shown"];
  if (text === "" && notice === "summaryGenerated") faults.push(`the page says: ${notice}`);
  return { figures: report.figures, faults };
}

async function killServer({ site, server, watch, words }: Scene): Promise<TrialReport> {
  const page = openModelPage(site);
  const lecture = await storeLecture(site, words);
  const since = performance.now();
  const running = writeSummary(page, { ...lecture, into: "none" });
  await untilAnswered(watch, 3, running);
  await server.kill();
  const broken = await running;
  const brokenAt = performance.now();
  const before = watch.calls.filter(({ outcome }) => outcome === "answered");
  await server.start();
  const pressed = await pressUntilWritten(page, { ...lecture, into: "none" });
  const report = judgeSummary(pressed, { watch, site, since, words });
  const answered = new Set(before.map(({ key }) => key));
  const again = watch.calls.filter(
    ({ key, startedAt }) => startedAt > brokenAt && answered.has(key),
  ).length;
  report.figures.push(
    `killed after ${before.length} answers: the page said ${broken.notice}; ${again} of them were asked for again`,
  );
  if (broken.notice !== "summaryFailed") report.faults.push(`the page said: ${broken.notice}`);
  if (again > 0) report.faults.push("notes were taken again");
  return report;
}

type Pressed = Awaited<ReturnType<typeof writeSummary>>;

async function pressUntilWritten(
  page: ReturnType<typeof openModelPage>,
  summary: Parameters<typeof writeSummary>[1],
): Promise<Pressed[]> {
  const pressed: Pressed[] = [];
  while (pressed.length < pressesMax && !pressed.at(-1)?.text)
    pressed.push(await writeSummary(page, summary));
  return pressed;
}

function judgeSummary(
  pressed: readonly Pressed[],
  {
    watch,
    site,
    since,
    words,
  }: { watch: ModelWatch; site: ModelSite; since: number; words: number },
): TrialReport {
  const last = pressed.at(-1);
  const count = (outcome: WatchedCall["outcome"]) =>
    watch.calls.filter((call) => call.outcome === outcome).length;
  const faults: string[] = [];
  if (!last?.text) faults.push("no summary came");
  return {
    figures: [
      `${words} words in ${format((performance.now() - since) / 1_000)} s`,
      `${pressed.length} presses of the button (${pressed.map(({ notice }) => notice).join(", ")})`,
      `${watch.calls.length} calls: ${count("answered")} answered, ${count("refused")} refused as too long, ${count("aborted")} ended early, ${count("lost")} lost`,
      `${sum(watch.calls, "prompt")} tokens in, ${sum(watch.calls, "answer")} out`,
      `${last?.text.length ?? 0} characters, ${JSON.stringify(last?.text.slice(0, 80) ?? "")}`,
      ...describeLog(site),
    ],
    faults,
  };
}

/** A lecture of so many words, as it is saved. */
async function storeLecture({ trpc }: ModelSite, words: number) {
  const rows: string[] = [];
  for (let count = 0; count < words; ) {
    const row = english[rows.length % english.length] ?? "";
    rows.push(row);
    count += row.split(" ").length;
  }
  const lectureId = randomUUID();
  await trpc.lectures.create.mutate({ id: lectureId, title: "Ten lectures", targetLanguage: "fr" });
  for (let from = 0; from < rows.length; from += rowsPerCallMax) {
    const entries = rows
      .slice(from, from + rowsPerCallMax)
      .map((original, at) => createEntry(original, (from + at) * 5_000, { ordinal: from + at }));
    await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
  }
  return { lectureId, original: rows.join(" ") };
}

/** Until `count` calls of the model have been answered, or `ended` has settled. */
async function untilAnswered(watch: ModelWatch, count: number, ended: Promise<unknown>) {
  let hasEnded = false;
  const settle = () => {
    hasEnded = true;
  };
  ended.then(settle, settle);
  while (!hasEnded && watch.calls.filter((call) => call.outcome === "answered").length < count)
    await delay(50);
}

const sum = (calls: readonly WatchedCall[], kind: keyof WatchedCall["tokens"]) =>
  calls.reduce((total, { tokens }) => total + tokens[kind], 0);

const format = (seconds = 0) => seconds.toFixed(1);

function describeLog(site: ModelSite): string[] {
  const counts = new Map<string, number>();
  for (const line of site.takeLog()) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => `${count} × ${line}`);
}
