import { ApiError } from "#client/lib/call-server.ts";
import {
  getTranslationLanguage,
  type SpokenLanguage,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import {
  entriesPerAppendMax,
  speakerLabelMaxLength,
  speakerNameMaxLength,
  speakerNamesMax,
} from "#shared/limits.ts";
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

/** Bytes of text, far below the limit of one request. */
const batchMaxBytes = 1024 * 1024;

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

/** Revision 0 marks an entry as untranslated. */
function toEntries(
  { rows, sourceLanguage, targetLanguage, translatedInto }: ImportJob,
  labels: ReadonlyMap<string, string>,
): TranscriptEntry[] {
  const pair = { sourceLanguage, targetLanguage, isTwoWay: false };
  const isTranslated = getTranslationLanguage(pair, sourceLanguage) !== null;
  return rows.map(({ original, translated, speaker, startMs, endMs }) => {
    const label = speaker === null ? null : (labels.get(speaker) ?? null);
    return {
      // A name that is too long for a label stays part of the text.
      original: speaker !== null && label === null ? `${speaker}: ${original}` : original,
      spokenIn: sourceLanguage,
      translated,
      translatedInto: translated === "" ? null : translatedInto,
      translatedByHand: false,
      speaker: label,
      startMs,
      endMs,
      revision: translated === "" && isTranslated ? 0 : 1,
    };
  });
}

function* splitIntoBatches(entries: readonly TranscriptEntry[]) {
  const encoder = new TextEncoder();
  let from = 0;
  let bytes = 0;
  for (let at = 0; at < entries.length; at += 1) {
    const size = encoder.encode(JSON.stringify(entries[at])).byteLength;
    if (at - from === entriesPerAppendMax || (at > from && bytes + size > batchMaxBytes)) {
      yield { from, entries: entries.slice(from, at) };
      from = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < entries.length) yield { from, entries: entries.slice(from) };
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
  for (const batch of splitIntoBatches(toEntries(job, labels))) {
    await server.append({ lectureId: id, ...batch });
    onProgress(batch.from + batch.entries.length);
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
