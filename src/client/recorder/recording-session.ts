import {
  createEmptyState,
  createStateFromLecture,
  createStateFromTransfer,
} from "#client/lecture/initial-state.ts";
import { toBudgetNotice } from "#client/lecture/lecture-notices.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { createTransfer } from "#client/lecture/transfer.ts";
import { MicrophoneDevices } from "#client/sound/capture/devices.ts";
import { Microphone } from "#client/sound/capture/microphone.ts";
import { ModelPause } from "#client/translation/model-pause.ts";
import { saveWaitMs } from "#shared/limits.ts";
import { browserPorts } from "./browser-ports.ts";
import { MicrophoneReturn } from "./microphone-return.ts";
import { Recorder } from "./recorder.ts";
import { SessionCommands } from "./session-commands.ts";
import type { RecordingSessionOptions, SessionPorts } from "./session-ports.ts";
import { SessionStore } from "./session-store.ts";
import type { RecordingSession } from "./session-types.ts";
import { TakeRecovery } from "./take-recovery.ts";

/**
 * Creates a tab's recording session on the browser's ports, or on those given. Wires its parts; the
 * rules are in `SessionCommands` and `SessionStore`. Nothing is recorded before `record`.
 */
export function createRecordingSession(options: RecordingSessionOptions): RecordingSession {
  const ports: SessionPorts = { ...browserPorts(), ...options.ports };
  const { identity, guestTranscript = null } = options;
  const { engines } = options;
  const modelPause = new ModelPause({
    clock: ports.clock,
    onExhausted: (code) => store.notify(toBudgetNotice(code, identity)),
  });
  const server: SessionApi = {
    ...options.api,
    translate: (input, signal) => modelPause.run(() => options.api.translate(input, signal)),
  };
  const api: SessionApi = { ...server, ...engines?.wrapLanguageCalls(server) };
  const devices = new MicrophoneDevices(ports.audio);
  const notifyMissing = (ms: number) =>
    store.notify({ kind: "soundMissing", seconds: Math.round(ms / 1_000) });
  const microphone = new Microphone({
    ports,
    devices,
    deviceId: options.microphoneId ?? null,
    isRaw: (deviceId) => deviceId !== null && options.isRaw?.(deviceId) === true,
    onChange: () => store.publish(),
    onLost: (reason) => {
      store.notify({ kind: reason === "denied" ? "microphoneDenied" : "microphoneLost" });
      store.current.takes.leaveGap();
      void commands.stop();
      if (reason !== "denied" && reason !== "notShared") microphoneReturn.wait();
    },
    onOpened: () => store.current.recognition.onMicrophoneChange(),
    onChangeFailed: () => store.notify({ kind: "microphoneChangeFailed" }),
    onGap: (gap) => {
      store.current.takes.addGap(gap);
      if (!gap.isFilled) notifyMissing(gap.lengthMs);
    },
    onNoSound: (reason, at) => store.current.takes.beginGap(reason, at),
    onSound: (lengthMs) => {
      store.current.takes.endGap(lengthMs);
      notifyMissing(lengthMs);
    },
    onReplaced: (label) => store.notify({ kind: "microphoneReplaced", label }),
    onQuiet: (deviceId) => deviceId !== null && store.notify({ kind: "speechQuiet", deviceId }),
  });
  const id = ports.newId();
  const store: SessionStore = new SessionStore(
    {
      options,
      api,
      ports,
      microphone,
      onEnd: () => void commands.stop(),
      onUncaptured: (reason) => {
        if (reason !== "denied" && reason !== "missing") {
          void recorder.captureInstead(store.current).then((isCaptured) => {
            if (!isCaptured) void commands.stop();
          });
          return;
        }
        store.notify({ kind: reason === "denied" ? "microphoneDenied" : "microphoneMissing" });
        void commands.stop();
      },
      onBackgroundChange: () => void recovery.refresh(),
    },
    guestTranscript === null
      ? createEmptyState(id, options.languages)
      : createStateFromTransfer(id, guestTranscript),
  );
  const recorder = new Recorder({ ports, identity, microphone, store });
  const commands: SessionCommands = new SessionCommands({
    api,
    ports,
    identity,
    store,
    recorder,
    selectSpeech: async () => (await engines?.selectSpeech()) ?? "service",
  });
  const microphoneReturn = new MicrophoneReturn({
    clock: ports.clock,
    devices,
    store,
    record: (engine) => void commands.record(engine),
  });
  const recovery: TakeRecovery = new TakeRecovery({
    api,
    ports,
    store,
    userId: options.userId ?? null,
  });

  function wake(): void {
    if (store.state.phase === "disposed") return;
    recovery.wake();
    modelPause.wake();
    store.lectures.wake();
    store.recordings.wake();
    void store.lectures.flush(saveWaitMs);
  }

  const unsubscribes = [
    ports.page.onWake(wake),
    ports.page.onHide(() => {
      // Sent with `keepalive` in case the page is closed, and saved as usual in case it stays.
      store.lectures.saveOnPageHide();
      void store.lectures.flush(saveWaitMs);
    }),
  ];
  if (guestTranscript !== null) void commands.createFromTransfer();

  return {
    view: store.view,
    lecture: store.recordings.lecture,
    lectures: store.lectures.list,
    microphones: devices.list,
    lecturesWithUnsentAudio: recovery.lecturesWithUnsentAudio,
    level: { read: () => microphone.level() },
    onNotice: (listener) => store.onNotice(listener),
    preload: () => recovery.preload(),
    record: (recordOptions) => commands.record(recordOptions?.engine),
    recognizeWith: (engine) => commands.recognizeWith(engine),
    stop: () => commands.stop(),
    canSave: () => commands.canSave(),
    save: (title, folderId) => commands.save(title, folderId),
    load: (lectureId) => commands.load(lectureId),
    reset: (resetOptions) => commands.reset(resetOptions),
    keepAsNewLecture: (lectureId) => commands.keepAsNewLecture(lectureId),
    onLectureDeleted: (lectureId) => commands.onLectureDeleted(lectureId),
    onLectureRenamed: (lectureId, title) =>
      store.lectures.find(lectureId)?.stored.setInfo({ title, titleSource: "person" }),
    onLectureMoved: (lectureId, folderId) =>
      store.lectures.find(lectureId)?.stored.setInfo({ folderId }),
    setNewFolder: (folderId) => store.setNewFolder(folderId),
    setDiarization: (on) => store.setDiarization(on),
    setMicrophone: (deviceId) => microphone.choose(deviceId),
    applyRawSound: () => microphone.applyRawSound(),
    recognizeStored: (lectureId) => recovery.recognize(lectureId),
    skipStored: (lectureId) => recovery.skip(lectureId),
    openLecture: (stored) => store.lectures.open(createStateFromLecture(stored), "page"),
    async createLecture() {
      const { lectureId, stored } = store.current;
      await stored.create();
      return lectureId;
    },
    setShared(lectureId, isShared) {
      const lecture = store.lectures.find(lectureId);
      if (lecture) lecture.stored.isShared = isShared;
    },
    wake,
    hasUnsavedChanges() {
      if (store.state.phase === "disposed") return false;
      // A guest's sound is on no disk, and goes along with nobody.
      const hasOnlySound = identity === "guest" && store.current.hasUnsentAudio;
      return recorder.isCapturing || store.hasUnsavedChanges || hasOnlySound;
    },
    exportGuestTranscript() {
      if (identity !== "guest" || store.state.phase === "disposed") return null;
      const { current } = store;
      current.closeConnection();
      return createTransfer(current.lecture, current.recordedSeconds);
    },
    dispose() {
      if (!store.dispatch({ type: "disposed" })) return;
      commands.dispose();
      void recorder.closeMicrophone();
      microphoneReturn.dispose();
      devices.dispose();
      recovery.dispose();
      for (const unsubscribe of unsubscribes) unsubscribe();
      store.dispose();
    },
  };
}
