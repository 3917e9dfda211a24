import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import type { Span } from "#client/lecture/rows/row-timeline.ts";
import { ApiError, callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import { withRetries } from "#client/lib/timeouts-and-retries.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import {
  listTimes,
  listWordless,
  replaceGaps,
  selectWords,
} from "#client/recorder/again/fill-gaps.ts";
import {
  cutParts,
  type KeptPart,
  listWholeTakes,
  measureParts,
} from "#client/recorder/again/kept-parts.ts";
import {
  planAddition,
  planReplacement,
  type RowChanges,
} from "#client/recorder/again/plan-rows.ts";
import {
  NotRecognizedError,
  type RecognizedSound,
  recognizeKept,
} from "#client/recorder/again/recognize-kept.ts";
import { browserPorts } from "#client/recorder/browser-ports.ts";
import { createSpans, type SoundSpan } from "#client/sound/player/sound-timeline.ts";
import { clipStretches } from "#client/sound/takes/take-gaps.ts";
import { getTakeLanguages } from "#client/sound/takes/take-languages.ts";
import type { TakeStorage } from "#client/sound/takes/take-storage.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { LanguagePair, SourceLanguage } from "#shared/languages.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { takesPerCallMax, topicMaxLength } from "#shared/limits.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { againParam, tabParam } from "#shared/site.ts";
import { fetchLecture } from "./fetch-lecture.ts";
import { queryKeys } from "./library/cache.ts";
import { queryClient, refetchQueries } from "./queries.tsx";
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
  | {
      kind: "done";
      /** New sentences. */
      count: number;
      /** Speech that is still without words, of what was recognised; ms on the lecture's clock. */
      left: Span[];
      undo(shown: LectureDocument): Promise<boolean>;
    }
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

export interface AgainChoice {
  engine: SpeechEngine;
  sourceLanguage: SourceLanguage;
  /** Speech without words, to which words are added (`listWordless`); null: the text of all the sound is replaced. */
  gaps: readonly Span[] | null;
}

/** The sound that is recognised again for that. */
export const listParts = (spans: readonly SoundSpan[], gaps: AgainChoice["gaps"]): KeptPart[] =>
  gaps === null ? listWholeTakes(spans) : cutParts(spans, gaps);

/**
 * Has kept sound of the shown lecture recognised by `engine` in `sourceLanguage`. Its text stays until all of it is
 * there; leaving the lecture, or recording into it, cancels that.
 */
export async function startRecognitionAgain(
  lecture: LectureDocument,
  { storage, spans }: KeptSound,
  { engine, sourceLanguage, gaps }: AgainChoice,
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
  const parts = listParts(spans, gaps);
  const state: AgainState = {
    lectureId,
    doneMs: 0,
    totalMs: measureParts(parts),
    phase: "recognizing",
    cancel: () => controller.abort(),
  };
  recognitionAgain.set(state);
  let hasDemoText = false;
  try {
    const recognized = await recognizeKept(
      {
        ports,
        live: await ports.loadLivePath(),
        storage,
        parts,
        engine,
        context,
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
            ...state,
            doneMs: Math.min(doneMs, state.totalMs),
            phase: isWaiting ? "waiting" : "recognizing",
          }),
      },
      signal,
    );
    recognitionAgain.set({ ...state, doneMs: state.totalMs, phase: "saving" });
    // Before its words are in the lecture.
    if (hasDemoText)
      await callServer(() => trpc.lectures.change.mutate({ id: lectureId, hasDemoText: true }));
    const { words, wordless } = gaps === null ? recognized : selectInGaps(recognized, gaps);
    const options = { languages, newId: ports.newId };
    const plan =
      gaps === null ? planReplacement(words, spans, options) : planAddition(words, options);
    const takesBefore = (lecture.recorded?.list.get() ?? []).filter(({ id }) => wordless.has(id));
    const heard = listTimes(words);
    const takes = takesBefore.map((take) => ({
      ...take,
      gaps: replaceGaps(take.gaps, heard, wordless.get(take.id) ?? []),
    }));
    const { planned, seq } = await store(lecture, lectureId, plan, takes, signal);
    if (gaps === null) lecture.setLanguages({ sourceLanguage, isTwoWay });
    const undo = async (shown: LectureDocument) => {
      if (!isShown(shown)) return false;
      try {
        const planUndo = (rows: readonly TranscriptEntry[]) => planned.undo(rows, seq);
        await store(shown, lectureId, planUndo, takesBefore, new AbortController().signal);
        if (gaps === null) shown.setLanguages(pickPair(before));
        return true;
      } catch (error) {
        console.warn("the earlier text could not be brought back", error);
        return false;
      }
    };
    const left = listWordless(
      takes.flatMap((take) => take.gaps),
      gaps ?? spans,
    );
    return { kind: "done", count: planned.entries.length, left, undo };
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

/** Of what was recognised with the sound around the gaps, what is in them. */
function selectInGaps({ words, wordless }: RecognizedSound, gaps: readonly Span[]) {
  const clip = (spans: readonly Span[]) =>
    gaps.flatMap(({ startMs, endMs }) => clipStretches(spans, startMs, endMs));
  return {
    words: selectWords(words, gaps),
    wordless: new Map([...wordless].map(([id, spans]) => [id, clip(spans)])),
  };
}

/**
 * Stores what `plan` makes of the rows as they are stored now, with one call, and then `takes`; and shows what is stored
 * then. A row that another tab or device changes meanwhile stays as it is.
 *
 * @returns the call's version; 0 without one
 * @throws ApiError; what `plan` throws
 */
async function store<Planned extends RowChanges>(
  lecture: LectureDocument,
  lectureId: string,
  plan: (rows: readonly TranscriptEntry[]) => Planned,
  takes: readonly RecordedTake[],
  signal: AbortSignal,
): Promise<{ planned: Planned; seq: number }> {
  const known = queryClient.getQueryData<Lecture>(queryKeys.lecture(lectureId));
  const update = async () =>
    lecture.updateFrom(await callServer(() => fetchLecture(lectureId, {}, known)));
  if (!(await lecture.saveNow())) throw new ApiError("unavailable", true);
  await update();
  signal.throwIfAborted();
  const planned = plan(lecture.listStoredRows());
  const { entries, deleted } = planned;
  const { seq } =
    entries.length + deleted.length > 0
      ? await callServer(() =>
          trpc.lectures.saveRows.mutate({ lectureId, entries, deleted }, { signal }),
        )
      : { seq: 0 };
  await storeTakes(lectureId, takes);
  await update();
  void refetchQueries(queryKeys.lecture(lectureId));
  return { planned, seq };
}

/** The rows are stored by now: a gap that stays is found again, and its words then have rows. */
async function storeTakes(lectureId: string, takes: readonly RecordedTake[]): Promise<void> {
  for (let at = 0; at < takes.length; at += takesPerCallMax) {
    const some = takes.slice(at, at + takesPerCallMax);
    const call = () => callServer(() => trpc.takes.store.mutate({ lectureId, takes: some }));
    await withRetries(browserClock, call).catch((error: unknown) =>
      console.warn("gaps not stored", error),
    );
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
