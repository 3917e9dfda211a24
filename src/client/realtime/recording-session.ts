import { isTargetLanguage, type TargetLanguage } from "#shared/languages.ts";
import { saveWaitMs } from "#shared/limits.ts";
import { Devices } from "./audio/devices.ts";
import { blank, carriedOver } from "./lecture/initial-state.ts";
import { noticeOfBudget, noticeOfSummary } from "./notices.ts";
import { browserPorts } from "./platform/browser-ports.ts";
import { Recorder } from "./recorder.ts";
import type { SessionApi } from "./server-api.ts";
import { withTimeLimits } from "./server-api-timeouts.ts";
import { Operations } from "./session-commands.ts";
import type { RecordingSessionOptions } from "./session-options.ts";
import type { SessionPorts } from "./session-ports.ts";
import { Stage } from "./session-store.ts";
import { SoundRecovery } from "./takes/take-recovery.ts";
import { ModelPause } from "./translation/model-pause.ts";
import type { RecordingSession } from "./types.ts";

export type { RecordingSessionOptions };

/** A recording session in a browser (or on the ports given). It starts nothing by itself. */
export function createRecordingSession(options: RecordingSessionOptions): RecordingSession {
  const ports: SessionPorts = { ...browserPorts(), ...options.ports };
  const { identity, carried = null, microphoneId = null } = options;
  const modelPause = new ModelPause({
    clock: ports.clock,
    onExhausted: (code) => stage.notify(noticeOfBudget(code, identity)),
  });
  const timed = withTimeLimits(options.api, ports.clock);
  const api: SessionApi = {
    ...timed,
    translate: (input, signal) => modelPause.run(() => timed.translate(input, signal)),
  };
  const devices = new Devices(ports.audio);
  const recorder: Recorder = new Recorder({
    ports,
    identity,
    microphoneId,
    onChange: () => stage.show(),
    onNotice: (notice) => stage.notify(notice),
    onOpened: () => devices.refresh(),
    onLost: () => {
      stage.notify({ kind: "microphoneLost" });
      void operations.stop();
    },
    findRefusal: (signal) => stage.findRefusal(signal),
    onConnecting: () => stage.shelf.makeWay(),
    onFinalizing: () => stage.notify({ kind: "finalizingTranslations" }),
  });
  const id = ports.newId();
  const stage: Stage = new Stage(
    {
      options,
      api,
      ports,
      microphone: () => recorder.microphone,
      onEnd: () => void operations.stop(),
      onBackground: () => void recovery.refresh(),
    },
    carried === null ? blank(id, options.targetLanguage) : carriedOver(id, carried),
  );
  const operations: Operations = new Operations({ api, ports, identity, stage, recorder });
  const recovery: SoundRecovery = new SoundRecovery({ api, ports, identity, stage });

  function setTargetLanguage(language: TargetLanguage): void {
    if (language === stage.language || !isTargetLanguage(language)) return;
    stage.setLanguage(language);
  }

  async function generateSummary(): Promise<void> {
    const { transcript, notes } = stage.current;
    if (notes.summary.generating) return;
    if (identity === "guest") {
      stage.notify({ kind: "signInRequired", for: "summary" });
    } else if (transcript.store.english().trim() === "") {
      stage.notify({ kind: "noContent", for: "summary" });
    } else {
      const outcome = await notes.summary.generate(transcript.language);
      // Whoever went on to another lecture finds it there on return.
      if (notes !== stage.current.notes || outcome.kind === "overtaken") return;
      stage.notify(
        outcome.kind === "done" ? { kind: "summaryGenerated" } : noticeOfSummary(outcome.error),
      );
    }
  }

  function wake(): void {
    if (stage.state.phase === "disposed") return;
    recovery.wake();
    modelPause.wake();
    stage.shelf.wake();
    void stage.shelf.flush(saveWaitMs);
  }

  const leavePage = [
    ports.page.onWake(wake),
    ports.page.onHide(() => {
      // Sent in a way that outlives the page, and saved as usual if it stays.
      stage.shelf.part();
      void stage.shelf.flush(saveWaitMs);
    }),
  ];
  if (carried !== null) void operations.adopt();

  return {
    view: stage.view,
    transcript: stage.shelf.transcript,
    summary: stage.shelf.summary,
    microphones: devices.list,
    waitingLectures: recovery.waitingLectures,
    level: { read: () => recorder.microphone.level() },
    onNotice: (listener) => stage.onNotice(listener),
    prepare: () => recovery.prepare(),
    record: () => operations.record(),
    stop: () => operations.stop(),
    canSave: () => operations.canSave(),
    save: (title) => operations.save(title),
    load: (lectureId) => operations.load(lectureId),
    reset: (how) => operations.reset(how),
    keepAsNew: (lectureId) => operations.keepAsNew(lectureId),
    lectureDeleted: (lectureId) => operations.deleted(lectureId),
    lectureRenamed(lectureId, title) {
      if (stage.current.recordingId === lectureId) stage.current.stored.rename(title);
    },
    setTargetLanguage,
    setDiarization: (on) => stage.setDiarization(on),
    setMicrophone: (deviceId) => recorder.microphone.choose(deviceId),
    setContext: (text) => stage.current.notes.context.set(text),
    generateSummary,
    setSummary: (text) => stage.current.notes.summary.set(text),
    correctRow(position, change) {
      stage.current.transcript.correct(position, change);
      stage.show();
    },
    retryTranslation(position) {
      stage.current.transcript.retry(position);
      stage.show();
    },
    retranslate(language) {
      if (!isTargetLanguage(language)) return;
      setTargetLanguage(language);
      stage.current.transcript.retranslate(language);
      stage.show();
    },
    renameSpeaker: (label, name) => stage.current.notes.rename(label, name),
    wake,
    hasUnsavedChanges() {
      if (stage.state.phase === "disposed") return false;
      return recorder.capturing || stage.shelf.unsaved;
    },
    carry() {
      if (identity !== "guest" || stage.state.phase === "disposed") return null;
      stage.current.abandon();
      return stage.current.carry();
    },
    dispose() {
      if (!stage.send({ type: "disposed" })) return;
      operations.dispose();
      void recorder.silence();
      devices.dispose();
      recovery.dispose();
      for (const leave of leavePage) leave();
      stage.dispose();
    },
  };
}
