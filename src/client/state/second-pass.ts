import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { ApiError, callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import {
  listUndo,
  planParts,
  runSecondPass,
  selectChanges,
} from "#client/translation/second-pass.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { trpc } from "./trpc.ts";

/** The pass over the shown lecture that translates it again; one at a time in a tab. Loaded when it is asked for. */

interface SecondPassState {
  lectureId: string;
  /** Rows that have an answer, of all that the pass may change. */
  done: number;
  total: number;
  /** Nothing is changed. */
  cancel(): void;
}

/** Null while none runs. */
export const secondPass = new Signal<SecondPassState | null>(null);

/**
 * `changed`: rows whose translation is another one now; `undo` brings back those that nobody has changed since, in the
 * lecture as it is shown then. False: it is closed, or another one.
 */
export type SecondPassOutcome =
  | { kind: "done"; changed: number; undo(shown: LectureDocument): boolean }
  | { kind: "cancelled" }
  | { kind: "failed"; code: ErrorCode };

/** Rows that a pass may change. */
export const countPassRows = (lecture: LectureDocument): number =>
  planParts(lecture.transcript.rows(), lecture.view.get()).reduce(
    (sum, { rows }) => sum + rows.length,
    0,
  );

/** Translates the shown lecture again. It keeps its text until the whole pass is there; leaving it cancels the pass. */
export async function startSecondPass(lecture: LectureDocument): Promise<SecondPassOutcome> {
  const { lecture: stored, context, ...languages } = lecture.view.get();
  const lectureId = stored?.id;
  if (lectureId === undefined || secondPass.get() !== null) return { kind: "cancelled" };
  const controller = new AbortController();
  const { signal } = controller;
  const isShown = (shown = lecture) => shown.view.get().lecture?.id === lectureId;
  const unsubscribe = lecture.view.subscribe(() => {
    if (!isShown()) controller.abort();
  });
  const cancel = () => controller.abort();
  const total = countPassRows(lecture);
  secondPass.set({ lectureId, done: 0, total, cancel });
  try {
    const passed = await runSecondPass(
      {
        rows: lecture.transcript.rows(),
        languages,
        terms: lecture.terms.get(),
        wordContext: context,
        clock: browserClock,
        translateRows: (input, signal) =>
          callServer(() => trpc.ai.translateRows.mutate(input, { signal })),
        onProgress: (done) => secondPass.set({ lectureId, done, total, cancel }),
      },
      signal,
    );
    signal.throwIfAborted();
    const rows = lecture.transcript.rows();
    const changes = selectChanges(rows, passed);
    const back = listUndo(rows, changes);
    if (!lecture.setTranslations(changes)) return { kind: "cancelled" };
    const undo = (shown: LectureDocument) =>
      isShown(shown) && shown.setTranslations(selectChanges(shown.transcript.rows(), back));
    return { kind: "done", changed: changes.size, undo };
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    return { kind: "failed", code: error instanceof ApiError ? error.code : "internal" };
  } finally {
    unsubscribe();
    secondPass.set(null);
  }
}
