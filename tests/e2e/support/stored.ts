import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { LanguagePair } from "#shared/languages.ts";
import type { TitleSource, TranscriptEntry } from "#shared/lecture.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { CreatedShare, ShareMode } from "#shared/share.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { callProcedure, query } from "./library.ts";

type Sentence = Pick<TranscriptEntry, "original" | "translated"> & Partial<TranscriptEntry>;

/** Creates a lecture for the user of `page`, without the interface; returns its id. */
export async function storeLecture(
  page: Page,
  sentences: readonly Sentence[],
  {
    title = "A stored lecture",
    titleSource = "person",
    targetLanguage = "zh-cn",
    sourceLanguage = "en",
    isTwoWay = false,
  }: { title?: string; titleSource?: TitleSource } & Partial<LanguagePair> = {},
): Promise<string> {
  const id = randomUUID();
  const languages = { sourceLanguage, targetLanguage, isTwoWay };
  await callProcedure(page, "lectures.create", { id, title, titleSource, ...languages });
  const into = targetLanguage === "none" ? null : targetLanguage;
  const entries = sentences.map((sentence, ordinal) => {
    const translatedInto = sentence.translated === "" ? null : into;
    const change = { ordinal, translatedInto, ...sentence };
    return createEntry(sentence.original, ordinal * 1_000, change);
  });
  await saveEntries(page, id, entries);
  return id;
}

/** Saves rows of a lecture of the user of `page`, as another tab or device would. */
export async function saveEntries(
  page: Page,
  lectureId: string,
  entries: readonly TranscriptEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await callProcedure(page, "lectures.saveRows", { lectureId, entries, deleted: [] });
}

/** The lecture's takes as they are stored, in order. */
export async function listTakes(page: Page, lectureId: string): Promise<RecordedTake[]> {
  const { items }: { items: RecordedTake[] } = await query(page, "takes.list", { lectureId });
  return items.toSorted((a, b) => a.startedAt - b.startedAt);
}

/** The lecture's sentences as they are stored, in order. */
export async function listEntries(page: Page, lectureId: string): Promise<TranscriptEntry[]> {
  return (await query(page, "lectures.get", { id: lectureId })).entries;
}

/** Shares a lecture of the user of `page`; returns the path of its link. */
export async function shareLecture(
  page: Page,
  lectureId: string,
  { mode = "until_revoked", mayCopy = true }: { mode?: ShareMode; mayCopy?: boolean } = {},
): Promise<string> {
  const input = { lectureId, mode, mayCopy };
  const { code }: CreatedShare = await callProcedure(page, "shares.create", input);
  return `/live/${code}`;
}

export const endShare = (page: Page, lectureId: string): Promise<void> =>
  callProcedure(page, "shares.end", { lectureId });
