import { Transcript } from "#client/lecture/rows/transcript.ts";
import { type Observable, Signal } from "#client/lib/observable.ts";
import type {
  LectureDocument,
  LectureView,
  MissingTranslations,
  SummaryView,
} from "./lecture-document.ts";

/** Of a lecture that is stored nowhere, before its first row. */
export const emptyLectureView: LectureView = {
  status: "ready",
  busy: null,
  saveState: "saved",
  lecture: null,
  recordedSeconds: 0,
  sourceLanguage: "en",
  targetLanguage: "none",
  isTwoWay: false,
  context: "",
  contextState: "empty",
  speakerNames: {},
  hasDemoText: false,
};

/** A lecture on the reading surface that nobody can change there: every change does nothing. */
export abstract class ReadOnlyLecture implements LectureDocument {
  readonly isReadOnly = true;
  abstract readonly view: Signal<LectureView>;
  readonly transcript = new Transcript();
  readonly terms = new Signal([]);
  readonly marks = new Signal([]);
  readonly missingTranslations: Observable<MissingTranslations | null> = new Signal(null);
  readonly summary = new Signal<SummaryView>({ text: "", draft: null, state: "idle" });
  readonly actionItems = new Signal([]);

  generateSummary = async () => {};
  editSummary = () => {};
  saveSummary = async () => true;
  keepSummary = () => {};
  setActionItems = () => {};
  correctRow = () => {};
  retryTranslations = () => {};
  retryTranslation = () => {};
  canRetryTranslation = () => false;
  retranslate = () => {};
  setTranslations = () => false;
  updateFrom = () => {};
  readonly saveCount = 0;
  listStoredRows = () => [];
  setLanguages = () => {};
  setContext = () => {};
  renameSpeaker = () => {};
  refreshTerms = () => {};
  saveNow = async () => true;
  addMark = () => null;
  putMark = () => {};
  deleteMark = () => () => {};
}

class ClosedLecture extends ReadOnlyLecture {
  constructor(readonly view: Signal<LectureView>) {
    super();
  }
}

/** In place of a stored lecture until it is open. */
export const loadingLecture = new ClosedLecture(
  new Signal({ ...emptyLectureView, busy: "loading" }),
);

/** In place of one that could not be opened. */
export const missingLecture = new ClosedLecture(new Signal(emptyLectureView));
