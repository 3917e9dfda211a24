import { vi } from "vitest";
import { Signal } from "#client/lib/signal.ts";
import type {
  CarriedTranscript,
  MicrophoneChoice,
  RecordingSession,
  SessionView,
  SummaryView,
} from "#client/realtime/types.ts";
import { holdSession } from "#client/state/recording.ts";

/** A recording that is going on, and in order, but for `change`. */
export const recordingView = (change: Partial<SessionView> = {}): SessionView => ({
  status: "recording",
  connection: "live",
  save: "saved",
  busy: null,
  canStop: true,
  heard: false,
  lecture: null,
  recordedSeconds: 0,
  waitingSeconds: 0,
  usage: null,
  targetLanguage: "zh-cn",
  diarization: false,
  context: "",
  contextState: "empty",
  speakerNames: {},
  microphone: "on",
  microphoneId: null,
  storage: "ok",
  lacksLine: false,
  ...change,
});

/** A recording that is going on in this tab. Mocked methods only note their calls. */
export function holdRecording() {
  const session = {
    view: new Signal(recordingView()),
    transcript: {
      blocks: new Signal([]),
      live: new Signal(null),
      wordCount: new Signal(0),
    },
    summary: new Signal<SummaryView>({ text: "", state: "idle" }),
    waitingLectures: new Signal<ReadonlySet<string>>(new Set()),
    microphones: new Signal<readonly MicrophoneChoice[]>([]),
    level: { read: () => 0 },
    onNotice: () => () => {},
    prepare: () => {},
    record: async () => {},
    stop: async () => {},
    canSave: () => true,
    save: async () => {},
    load: async () => {},
    reset: vi.fn(async () => {}),
    setTargetLanguage: () => {},
    setDiarization: () => {},
    setMicrophone: vi.fn<RecordingSession["setMicrophone"]>(),
    setContext: vi.fn<RecordingSession["setContext"]>(),
    generateSummary: vi.fn(async () => {}),
    setSummary: vi.fn<RecordingSession["setSummary"]>(),
    correctRow: vi.fn<RecordingSession["correctRow"]>(),
    retryTranslation: vi.fn<RecordingSession["retryTranslation"]>(),
    retranslate: vi.fn<RecordingSession["retranslate"]>(),
    renameSpeaker: vi.fn<RecordingSession["renameSpeaker"]>(),
    lectureDeleted: vi.fn<RecordingSession["lectureDeleted"]>(),
    lectureRenamed: vi.fn<RecordingSession["lectureRenamed"]>(),
    keepAsNew: vi.fn(async () => {}),
    wake: vi.fn(() => {}),
    hasUnsavedChanges: (): boolean => true,
    carry: vi.fn((): CarriedTranscript | null => null),
    dispose: vi.fn(() => {}),
  } satisfies RecordingSession;
  holdSession(session);
  return session;
}
