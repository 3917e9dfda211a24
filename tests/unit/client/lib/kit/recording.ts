import { vi } from "vitest";
import { holdSession } from "../../../../../src/client/lib/recording.ts";
import { signal } from "../../../../../src/client/lib/signal.ts";
import type { RecordingSession, SessionView } from "../../../../../src/client/realtime/contract.ts";

const view: SessionView = {
  status: "recording",
  connection: "live",
  save: "saved",
  busy: null,
  lecture: null,
  recordedSeconds: 0,
  waitingSeconds: 0,
  usage: null,
  targetLanguage: "zh-cn",
  diarization: false,
  microphone: "on",
};

/** A recording that is going on in this tab; `reset` and `dispose` only note their calls. */
export function holdRecording() {
  const session = {
    view: signal(view),
    transcript: {
      blocks: signal([]),
      live: signal(null),
      wordCount: signal(0),
    },
    level: { read: () => 0 },
    onNotice: () => () => {},
    record: async () => {},
    stop: async () => {},
    canSave: () => true,
    save: async () => {},
    load: async () => {},
    reset: vi.fn(async () => {}),
    setTargetLanguage: () => {},
    setDiarization: () => {},
    retryTranslation: () => {},
    wake: vi.fn(() => {}),
    hasUnsavedChanges: () => true,
    dispose: vi.fn(() => {}),
  } satisfies RecordingSession;
  holdSession(session);
  return session;
}
