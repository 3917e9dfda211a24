import { Signal } from "#client/lib/signal.ts";
import { emptyLectureView, ReadOnlyLecture } from "#client/realtime/lecture/read-only-lecture.ts";
import type { LectureView } from "#client/realtime/session-types.ts";

class ClosedLecture extends ReadOnlyLecture {
  readonly view: Signal<LectureView>;

  constructor(busy: LectureView["busy"]) {
    super();
    this.view = new Signal({ ...emptyLectureView, busy });
  }
}

/** In place of a stored lecture until it is open. */
export const loadingLecture = new ClosedLecture("loading");

/** In place of one that could not be opened. */
export const missingLecture = new ClosedLecture(null);
