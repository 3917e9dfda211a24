import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { TargetLanguage } from "#shared/languages.ts";
import type { TitleSource, TranscriptEntry } from "#shared/lecture.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { callProcedure } from "./library.ts";

type Sentence = Pick<TranscriptEntry, "english" | "translated"> & Partial<TranscriptEntry>;

/** Creates a lecture for the user of `page`, without the interface; returns its id. */
export async function storeLecture(
  page: Page,
  sentences: readonly Sentence[],
  {
    title = "A stored lecture",
    titleSource = "person",
    targetLanguage = "zh-cn",
  }: { title?: string; titleSource?: TitleSource; targetLanguage?: TargetLanguage } = {},
): Promise<string> {
  const id = randomUUID();
  await callProcedure(page, "lectures.create", { id, title, titleSource, targetLanguage });
  const entries = sentences.map((sentence, at) => ({
    translatedInto: sentence.translated === "" ? null : targetLanguage,
    translatedByHand: false,
    speaker: null,
    startMs: at * 1_000,
    endMs: at * 1_000 + 900,
    revision: 1,
    ...sentence,
  }));
  if (entries.length > 0)
    await callProcedure(page, "lectures.appendEntries", { lectureId: id, from: 0, entries });
  return id;
}

// The server may close an idle connection in the moment in which it is used again.

/** The lecture's takes as they are stored, in order. */
export async function listTakes(page: Page, lectureId: string): Promise<RecordedTake[]> {
  const input = encodeURIComponent(JSON.stringify({ lectureId }));
  const answer = await page.request.get(`/trpc/takes.list?input=${input}`, { maxRetries: 1 });
  const items: RecordedTake[] = (await answer.json()).result.data.items;
  return items.toSorted((a, b) => a.startedAt - b.startedAt);
}

/** The lecture's sentences as they are stored, in order. */
export async function listEntries(page: Page, lectureId: string): Promise<TranscriptEntry[]> {
  const input = encodeURIComponent(JSON.stringify({ id: lectureId }));
  const answer = await page.request.get(`/trpc/lectures.get?input=${input}`, { maxRetries: 1 });
  return (await answer.json()).result.data.entries;
}
