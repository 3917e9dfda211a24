import { vi } from "vitest";
import type { TranscriptTransfer } from "#client/lecture/initial-state.ts";
import { createStateFromLecture } from "#client/lecture/initial-state.ts";
import type {
  LectureDocument,
  MissingTranslations,
  SummaryView,
} from "#client/lecture/lecture-document.ts";
import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import { Lectures } from "#client/lecture/lectures.ts";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { Signal } from "#client/lib/observable.ts";
import { browserPorts } from "#client/recorder/browser-ports.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import type { MicrophoneDevice } from "#client/sound/capture/audio-ports.ts";
import { setRecordingSession } from "#client/state/recording.ts";
import { createSessionApi } from "#client/state/server-api.ts";
import type { ActionItem } from "#shared/action-item.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import type { LectureInfo, Mark } from "#shared/lecture.ts";

/** A draft that a person has named. */
export const createLectureInfo = (change: Partial<LectureInfo> = {}): LectureInfo => ({
  id: "one",
  title: "One",
  titleSource: "person",
  status: "draft",
  folderId: null,
  createdAt: "2026-11-20T09:02:00.000Z",
  ...change,
});

/** A recording that is going on, and in order, but for `change`. */
export const recordingView = (change: Partial<SessionView> = {}): SessionView => ({
  status: "recording",
  connection: "live",
  speechEngine: "service",
  speechProblem: null,
  waitingSeconds: 0,
  saveState: "saved",
  unsavedSince: null,
  busy: null,
  canStop: true,
  hasRecording: false,
  lecture: null,
  recordedSeconds: 0,
  unsentSeconds: 0,
  isBehind: false,
  usage: null,
  sourceLanguage: "en",
  targetLanguage: "zh-cn",
  isTwoWay: false,
  diarization: false,
  context: "",
  contextState: "empty",
  speakerNames: {},
  hasDemoText: false,
  microphone: "on",
  microphoneId: null,
  microphoneLabel: "",
  storageState: "ok",
  busySeconds: null,
  ...change,
});

/**
 * A recording that is going on in this tab, and its lecture in the same object. Mocked methods only note their calls.
 * Lectures that are only read are real; `onNotice`: of these.
 */
export function holdRecording(onNotice: (notice: LectureNotice) => void = () => {}) {
  const lectures = new Lectures({
    api: createSessionApi(),
    ports: browserPorts(),
    identity: "user",
    notify: (_, notice) => onNotice(notice),
    onChange() {},
  });
  const summary = new Signal<SummaryView>({ text: "", draft: null, state: "idle" });
  const view = new Signal(recordingView());
  const actionItems = new Signal<readonly ActionItem[]>([]);
  const lecture = {
    view,
    transcript: new Transcript(),
    summary,
    actionItems,
    marks: new Signal<readonly Mark[]>([]),
    terms: new Signal<readonly GlossaryTerm[]>([]),
    missingTranslations: new Signal<MissingTranslations | null>(null),
    recorded: { list: new Signal([]), gaps: new Signal([]) },
    setLanguages: () => {},
    setContext: vi.fn<LectureDocument["setContext"]>(),
    generateSummary: vi.fn<LectureDocument["generateSummary"]>(async () => {}),
    editSummary: vi.fn<LectureDocument["editSummary"]>((draft) =>
      summary.set({ ...summary.get(), draft }),
    ),
    saveSummary: vi.fn<LectureDocument["saveSummary"]>(async () => true),
    keepSummary: vi.fn<LectureDocument["keepSummary"]>(() => {
      const { draft, ...rest } = summary.get();
      if (draft !== null) summary.set({ ...rest, text: draft, draft: null });
    }),
    setActionItems: vi.fn<LectureDocument["setActionItems"]>((items) => actionItems.set(items)),
    correctRow: vi.fn<LectureDocument["correctRow"]>(),
    dropOther: vi.fn<NonNullable<LectureDocument["dropOther"]>>(),
    retryTranslations: vi.fn<LectureDocument["retryTranslations"]>(),
    retryTranslation: vi.fn<LectureDocument["retryTranslation"]>(),
    canRetryTranslation: vi.fn<LectureDocument["canRetryTranslation"]>(() => true),
    setTranslations: vi.fn<LectureDocument["setTranslations"]>(),
    updateFrom: vi.fn<LectureDocument["updateFrom"]>(),
    saveCount: 0,
    listStoredRows: vi.fn<LectureDocument["listStoredRows"]>(() => []),
    retranslate: vi.fn<LectureDocument["retranslate"]>(),
    refreshTerms: vi.fn<LectureDocument["refreshTerms"]>(),
    renameSpeaker: vi.fn<LectureDocument["renameSpeaker"]>(),
    addMark: vi.fn<LectureDocument["addMark"]>(() => null),
    putMark: vi.fn<LectureDocument["putMark"]>(),
    deleteMark: vi.fn<LectureDocument["deleteMark"]>(() => () => {}),
    saveNow: vi.fn(async () => true),
  } satisfies LectureDocument;
  const session = {
    ...lecture,
    lecture: new Signal<LectureDocument>(lecture),
    lectures: lectures.list,
    lecturesWithUnsentAudio: new Signal<ReadonlySet<string>>(new Set()),
    microphones: new Signal<readonly MicrophoneDevice[]>([]),
    level: { read: () => 0 },
    onNotice: vi.fn<RecordingSession["onNotice"]>(() => () => {}),
    preload: () => {},
    setNewFolder: vi.fn<RecordingSession["setNewFolder"]>(),
    record: async () => {},
    recognizeWith: async () => {},
    stop: vi.fn(async () => {}),
    canSave: () => true,
    save: async () => {},
    load: vi.fn<RecordingSession["load"]>(async () => {}),
    reset: vi.fn(async () => {}),
    setDiarization: () => {},
    setMicrophone: vi.fn<RecordingSession["setMicrophone"]>(),
    applyRawSound: vi.fn<RecordingSession["applyRawSound"]>(),
    recognizeStored: vi.fn<RecordingSession["recognizeStored"]>(async () => null),
    skipStored: vi.fn<RecordingSession["skipStored"]>(async () => {}),
    openLecture: (stored) => lectures.open(createStateFromLecture(stored), "page"),
    createLecture: vi.fn(async () => "created"),
    setShared: vi.fn<RecordingSession["setShared"]>(),
    onLectureDeleted: vi.fn<RecordingSession["onLectureDeleted"]>((id) => lectures.delete(id)),
    onLectureRenamed: vi.fn<RecordingSession["onLectureRenamed"]>(),
    onLectureMoved: vi.fn<RecordingSession["onLectureMoved"]>(),
    keepAsNewLecture: vi.fn(async () => {}),
    wake: vi.fn(() => {}),
    hasUnsavedChanges: (): boolean => true,
    exportGuestTranscript: vi.fn((): TranscriptTransfer | null => null),
    dispose: vi.fn(() => lectures.dispose()),
  } satisfies RecordingSession;
  session.lecture.set(session);
  setRecordingSession(session);
  return session;
}
