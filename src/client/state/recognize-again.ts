import { ApiError, callServer } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import { NotRecognizedError, recognizeKept } from "#client/realtime/again/recognize-kept.ts";
import {
  createRows,
  createSentences,
  type NewRow,
  replaceRows,
  splitRows,
  toEntry,
} from "#client/realtime/again/replace-rows.ts";
import { browserPorts } from "#client/realtime/browser-ports.ts";
import type { LectureDocument, TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import type { SpeechEngine } from "#client/realtime/session-types.ts";
import { createSpans, type SoundSpan } from "#client/realtime/sound/sound-timeline.ts";
import { getTakeLanguages } from "#client/realtime/takes/take-languages.ts";
import type { TakeStorage } from "#client/realtime/takes/take-storage.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { LanguagePair, SourceLanguage } from "#shared/languages.ts";
import { topicMaxLength } from "#shared/limits.ts";
import { againParam, tabParam } from "#shared/site.ts";
import { fetchLecture } from "./fetch-lecture.ts";
import { queryKeys } from "./library/cache.ts";
import { refetchQueries } from "./queries.tsx";
import { openSpeechModel } from "./speech-model.ts";
import { trpc } from "./trpc.ts";
import { getUserId } from "./visitor.ts";

/** The kept sound of the shown lecture that is recognised again; one at a time in a tab. Loaded when it is asked for. */

interface AgainState {
  lectureId: string;
  /** Sound that has words, of all that is kept, ms. */
  doneMs: number;
  totalMs: number;
  /** The connection is away, or everything has words and is being saved. */
  phase: "recognizing" | "waiting" | "saving";
  /** Nothing is changed. */
  cancel(): void;
}

/** Null while none runs. */
export const recognitionAgain = new Signal<AgainState | null>(null);

export type AgainFailure = ErrorCode | "modelMissing" | "noLanguage" | "noWords" | "failed";

/**
 * `undo` brings back the rows that were replaced, but for what a person has corrected since, in the lecture as it is shown
 * then. False: it could not.
 */
export type AgainOutcome =
  | { kind: "done"; count: number; undo(shown: LectureDocument): Promise<boolean> }
  | { kind: "cancelled" }
  | { kind: "failed"; reason: AgainFailure };

export interface KeptSound {
  storage: TakeStorage;
  spans: readonly SoundSpan[];
  lengthMs: number;
}

const ports = browserPorts();

/**
 * What this device keeps of a lecture's sound. `none`: nothing that has a place on the lecture's clock; `unsent`: some of
 * it was not recognised at all yet, and its words would come a second time.
 */
export async function readKeptSound(lectureId: string): Promise<KeptSound | "none" | "unsent"> {
  const userId = getUserId();
  const storage = userId && (await ports.loadLivePath()).openStorage(userId);
  if (!storage) return "none";
  if ((await storage.list(lectureId)).length > 0) return "unsent";
  const spans = createSpans(await storage.listKept(lectureId));
  const lengthMs = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return lengthMs > 0 ? { storage, spans, lengthMs } : "none";
}

const listRows = (lecture: LectureDocument): TranscriptRow[] =>
  lecture.transcript.blocks.get().flatMap(({ rows }) => [...rows]);

/**
 * Has the kept sound of the shown lecture recognised by `engine` in `sourceLanguage`. Its text stays until all of it is
 * there; leaving the lecture, or recording into it, cancels that.
 */
export async function startRecognitionAgain(
  lecture: LectureDocument,
  { storage, spans }: KeptSound,
  { engine, sourceLanguage }: { engine: SpeechEngine; sourceLanguage: SourceLanguage },
): Promise<AgainOutcome> {
  const { lecture: stored, context, ...view } = lecture.view.get();
  const lectureId = stored?.id;
  if (lectureId === undefined || recognitionAgain.get() !== null) return { kind: "cancelled" };
  const before: LanguagePair = view;
  const isTwoWay = before.isTwoWay && sourceLanguage === before.sourceLanguage;
  const languages: LanguagePair = { ...pickPair(before), sourceLanguage, isTwoWay };
  const controller = new AbortController();
  const { signal } = controller;
  const isShown = (shown = lecture) => shown.view.get().lecture?.id === lectureId;
  const unsubscribe = lecture.view.subscribe(() => {
    if (!isShown() || lecture.view.get().status === "recording") controller.abort();
  });
  const kept = [...new Set(spans.map(({ take }) => take))];
  const state: AgainState = {
    ...{ lectureId, doneMs: 0, phase: "recognizing", cancel: () => controller.abort() },
    totalMs: spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
  };
  recognitionAgain.set(state);
  let hasDemoText = false;
  try {
    const words = await recognizeKept(
      {
        ...{ ...ports, live: await ports.loadLivePath(), storage, kept, engine, context },
        languages: getTakeLanguages(languages),
        diarization: listRows(lecture).some(({ speaker }) => speaker !== null),
        hintSource: {
          getTerms: () => lecture.terms.get(),
          getLanguages: () => languages,
          getRows: () => listRows(lecture),
          getTopic: () =>
            stored?.titleSource === "person" ? stored.title.slice(0, topicMaxLength) : "",
        },
        getModel: openSpeechModel,
        path: async () => {
          const query = new URLSearchParams({ [tabParam]: ports.tabId, [againParam]: "1" });
          return `/api/recordings/${lectureId}?${query}`;
        },
        onDemoVoice: () => {
          hasDemoText = true;
        },
        onProgress: (doneMs, isWaiting) =>
          recognitionAgain.set({
            ...{ ...state, doneMs: Math.min(doneMs, state.totalMs) },
            phase: isWaiting ? "waiting" : "recognizing",
          }),
      },
      signal,
    );
    recognitionAgain.set({ ...state, doneMs: state.totalMs, phase: "saving" });
    // Before its words are in the lecture.
    if (hasDemoText)
      await callServer(() => trpc.lectures.change.mutate({ id: lectureId, hasDemoText: true }));
    const select = (rows: readonly TranscriptRow[]): NewRow[] => {
      const { kept, replaced } = splitRows(rows, spans);
      return createRows(createSentences(words, kept), replaced, languages);
    };
    const { replaced, count } = await replaceText(lecture, lectureId, spans, select, signal);
    lecture.setLanguages({ sourceLanguage, isTwoWay });
    const undo = async (shown: LectureDocument) => {
      if (!isShown(shown)) return false;
      try {
        await replaceText(shown, lectureId, spans, () => replaced, new AbortController().signal);
        shown.setLanguages(pickPair(before));
        return true;
      } catch (error) {
        console.warn("the earlier text could not be brought back", error);
        return false;
      }
    };
    return { kind: "done", count, undo };
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    return { kind: "failed", reason: toFailure(error) };
  } finally {
    unsubscribe();
    recognitionAgain.set(null);
  }
}

const pickPair = ({ sourceLanguage, targetLanguage, isTwoWay }: LanguagePair): LanguagePair => ({
  sourceLanguage,
  targetLanguage,
  isTwoWay,
});

const attemptsMax = 3;

/**
 * Puts what `select` makes of the rows in the place of those of `spans`, with one call, and shows what is stored then.
 *
 * @throws ApiError; NotRecognizedError if there would be no text
 */
async function replaceText(
  lecture: LectureDocument,
  lectureId: string,
  spans: readonly SoundSpan[],
  select: (rows: readonly TranscriptRow[]) => NewRow[],
  signal: AbortSignal,
): Promise<{ replaced: NewRow[]; count: number }> {
  for (let attempt = 1; ; attempt += 1) {
    if (!(await lecture.saveNow())) throw new ApiError("unavailable", true);
    signal.throwIfAborted();
    const rows = listRows(lecture);
    const { replaced } = splitRows(rows, spans);
    const added = select(rows);
    if (added.length === 0 && replaced.length > 0) throw new NotRecognizedError(null);
    const revisions = rows.reduce((sum, { revision }) => sum + revision, 0);
    const before = { count: rows.length, revisions };
    try {
      const entries = replaceRows(rows, spans, added, lecture.view.get());
      await callServer(() =>
        trpc.lectures.replaceEntries.mutate({ lectureId, before, entries }, { signal }),
      );
    } catch (error) {
      // A translation has come meanwhile, or another tab has saved a row.
      const isConflict = error instanceof ApiError && error.code === "conflict";
      if (!isConflict || attempt === attemptsMax) throw error;
      lecture.updateFrom(await callServer(() => fetchLecture(lectureId)));
      continue;
    }
    lecture.updateFrom(await callServer(() => fetchLecture(lectureId)));
    void refetchQueries(queryKeys.lecture(lectureId));
    const old = replaced.map((row) => toEntry(row, lecture.view.get()));
    return { replaced: old, count: added.length };
  }
}

function toFailure(error: unknown): AgainFailure {
  if (error instanceof ApiError) return error.code;
  if (!(error instanceof NotRecognizedError)) {
    console.warn("not recognised again", error);
    return "failed";
  }
  const { reason } = error;
  if (reason === null) return "noWords";
  if ("kind" in reason) {
    if (reason.kind === "refused") return reason.code;
    return reason.kind === "notRecognized" ? "noLanguage" : "failed";
  }
  return reason.reason === "modelMissing" || reason.reason === "noLanguage"
    ? reason.reason
    : "failed";
}
