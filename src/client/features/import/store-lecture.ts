import { selectRows } from "#client/lecture/saving/unsaved-rows.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { toNumberedId } from "#client/lib/numbered-id.ts";
import {
  getTranslationLanguage,
  type SpokenLanguage,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { speakerLabelMaxLength, speakerNameMaxLength, speakerNamesMax } from "#shared/limits.ts";
import type { ImportServer } from "./import-server.ts";
import type { ImportedRow } from "./imported-rows.ts";

export interface ImportJob {
  /** Chosen by the client, so that a retry continues with the same lecture. */
  id: string;
  title: string;
  folderId: string | null;
  /** Of all rows. */
  sourceLanguage: SpokenLanguage;
  targetLanguage: TargetLanguage;
  rows: readonly ImportedRow[];
  /** Language of the translations in `rows`; null without translations. */
  translatedInto: TranslationLanguage | null;
  /** Text of the demo voice is in the rows. */
  hasDemoText: boolean;
}

function assignSpeakerLabels(rows: readonly ImportedRow[]) {
  const names: Record<string, string> = {};
  const labels = new Map<string, string>();
  const found = [...new Set(rows.map((row) => row.speaker).filter((name) => name !== null))];
  const parseSpeakerNumber = (name: string) => /^S(\d+)$/.exec(name)?.[1];
  const taken = new Set(found.map(parseSpeakerNumber));
  let next = 1;
  for (const name of found) {
    const number = parseSpeakerNumber(name);
    if (number !== undefined) labels.set(name, number);
    else if (name.length > speakerLabelMaxLength) continue;
    else if (name.length > speakerNameMaxLength || Object.keys(names).length >= speakerNamesMax)
      labels.set(name, name);
    else {
      while (taken.has(String(next))) next += 1;
      labels.set(name, String(next));
      names[next] = name;
      next += 1;
    }
  }
  return { names, labels };
}

/** The same rows each time. One without a translation waits for it. */
function toEntries(
  { rows, sourceLanguage, targetLanguage, translatedInto }: ImportJob,
  labels: ReadonlyMap<string, string>,
): TranscriptEntry[] {
  const pair = { sourceLanguage, targetLanguage, isTwoWay: false };
  const target = getTranslationLanguage(pair, sourceLanguage);
  return rows.map(({ original, translated, speaker, startMs, endMs }, index) => {
    const label = speaker === null ? null : (labels.get(speaker) ?? null);
    return {
      id: toNumberedId(index),
      seq: 0,
      ordinal: index,
      // A name that is too long for a label stays part of the text.
      original: speaker !== null && label === null ? `${speaker}: ${original}` : original,
      originalByHand: false,
      spokenIn: sourceLanguage,
      translated,
      translatedInto: translated === "" ? target : translatedInto,
      translatedByHand: false,
      speaker: label,
      startMs,
      endMs,
    };
  });
}

/**
 * Creates the lecture. Idempotent: can be retried with the same job after a failure at any point.
 *
 * @returns `filed`: false if the folder was deleted meanwhile.
 * @throws ApiError
 */
export async function storeLecture(
  server: ImportServer,
  job: ImportJob,
  onProgress: (rows: number) => void,
): Promise<{ filed: boolean }> {
  const { id, title, folderId, sourceLanguage, targetLanguage, hasDemoText } = job;
  const { names, labels } = assignSpeakerLabels(job.rows);
  await server.create({
    id,
    title,
    sourceLanguage,
    targetLanguage,
    ...(hasDemoText && { hasDemoText }),
  });
  const all = toEntries(job, labels);
  for (let at = 0; at < all.length; ) {
    const entries = selectRows(all.slice(at));
    await server.saveRows({ lectureId: id, entries, deleted: [] });
    at += entries.length;
    onProgress(at);
  }
  if (Object.keys(names).length > 0) await server.setSpeakerNames({ id, speakerNames: names });
  const filed = folderId === null || (await tryMove(server, { id, folderId }));
  await server.complete({ id, title });
  return { filed };
}

async function tryMove(server: ImportServer, input: { id: string; folderId: string }) {
  try {
    await server.move(input);
    return true;
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "conflict") return false;
    throw failure;
  }
}
