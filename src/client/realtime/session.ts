import {
  isTargetLanguage,
  type TargetLanguage,
  type TranslationLanguage,
} from "../../shared/languages.ts";
import { saveWaitMs } from "../../shared/limits.ts";
import { browserPorts } from "./browser/ports.ts";
import { carriedFrom } from "./carried.ts";
import type {
  CarriedTranscript,
  MicrophoneChoice,
  Observable,
  RecordingSession,
  SessionNotice,
  SessionView,
  SummaryView,
  TranscriptView,
} from "./contract.ts";
import { Devices } from "./devices.ts";
import { noticeOfSummary } from "./notices.ts";
import { blank, carriedOver } from "./opening.ts";
import { Operations } from "./operations.ts";
import { Recorder } from "./recorder.ts";
import type { RecordingSessionOptions } from "./session-options.ts";
import type { SessionPorts } from "./session-ports.ts";
import { Stage } from "./stage.ts";
import { withTimeLimits } from "./timed-api.ts";

export type { RecordingSessionOptions };

/** Left-over sound that nobody came back for is forgotten after this. */
const spoolKeepMs = 30 * 24 * 3_600_000;

/** A recording session in a browser (or on the ports given). It starts nothing by itself. */
export function createRecordingSession(options: RecordingSessionOptions): RecordingSession {
  return new Session(options);
}

/** The recording as its page has it: each method hands over to the part whose job it is. */
class Session implements RecordingSession {
  readonly view: Observable<SessionView>;
  readonly transcript: TranscriptView;
  readonly summary: Observable<SummaryView>;
  readonly microphones: Observable<readonly MicrophoneChoice[]>;
  readonly level: { read(): number };
  readonly #identity: "user" | "guest";
  readonly #ports: SessionPorts;
  readonly #stage: Stage;
  readonly #recorder: Recorder;
  readonly #operations: Operations;
  readonly #devices: Devices;
  readonly #leavePage: (() => void)[];
  /** The page has asked for what recording needs. */
  #preparing = false;
  /** What recording needs is there, or on its way. */
  #prepared = false;

  constructor(options: RecordingSessionOptions) {
    const ports: SessionPorts = { ...browserPorts(), ...options.ports };
    const { audio, clock, page } = ports;
    const { identity, microphoneId = null } = options;
    const api = withTimeLimits(options.api, clock);
    this.#identity = identity;
    this.#ports = ports;
    this.#devices = new Devices(audio);
    this.#recorder = new Recorder({
      ports,
      identity,
      microphoneId,
      onChange: () => this.#stage.show(),
      onNotice: (notice) => this.#stage.notify(notice),
      onOpened: () => this.#devices.refresh(),
      onLost: () => {
        this.#stage.notify({ kind: "microphoneLost" });
        void this.stop();
      },
      onConnecting: () => this.#stage.shelf.makeWay(),
      onFinalizing: () => this.#stage.notify({ kind: "finalizingTranslations" }),
    });
    const carried = options.carried ?? null;
    const id = ports.newId();
    this.#stage = new Stage(
      {
        options,
        api,
        ports,
        microphone: () => this.#recorder.microphone,
        onEnd: () => void this.stop(),
      },
      carried === null ? blank(id, options.targetLanguage) : carriedOver(id, carried),
    );
    this.#operations = new Operations({
      api,
      ports,
      identity,
      stage: this.#stage,
      recorder: this.#recorder,
    });
    this.view = this.#stage.view;
    this.transcript = this.#stage.shelf.transcript;
    this.summary = this.#stage.shelf.summary;
    this.microphones = this.#devices.list;
    this.level = { read: () => this.#recorder.microphone.level() };
    this.#leavePage = [page.onWake(() => this.wake()), page.onHide(() => this.#leaving())];
    if (carried !== null) void this.#operations.adopt();
  }

  onNotice(listener: (notice: SessionNotice) => void): () => void {
    return this.#stage.onNotice(listener);
  }

  prepare(): void {
    this.#preparing = true;
    if (this.#prepared) return;
    this.#prepared = true;
    void this.#prepare();
  }

  record(): Promise<void> {
    return this.#operations.record();
  }

  stop(): Promise<void> {
    return this.#operations.stop();
  }

  canSave(): boolean {
    return this.#operations.canSave();
  }

  save(title: string): Promise<void> {
    return this.#operations.save(title);
  }

  load(id: string): Promise<void> {
    return this.#operations.load(id);
  }

  reset(options: { quiet?: boolean } = {}): Promise<void> {
    return this.#operations.reset(options);
  }

  lectureDeleted(id: string): void {
    this.#operations.deleted(id);
  }

  lectureRenamed(id: string, title: string): void {
    const { current } = this.#stage;
    if (current.recordingId === id) current.rename(title);
  }

  setTargetLanguage(language: TargetLanguage): void {
    if (language === this.#stage.language || !isTargetLanguage(language)) return;
    this.#stage.setLanguage(language);
  }

  setDiarization(on: boolean): void {
    this.#stage.setDiarization(on);
  }

  setMicrophone(id: string | null): void {
    this.#recorder.microphone.choose(id);
  }

  setContext(text: string): void {
    this.#notes.context.set(text);
  }

  async generateSummary(): Promise<void> {
    const { transcript, notes } = this.#stage.current;
    if (notes.summary.generating) return;
    const text = transcript.store.english().trim();
    if (this.#identity === "guest") {
      this.#stage.notify({ kind: "signInRequired", for: "summary" });
    } else if (text === "") {
      this.#stage.notify({ kind: "noContent", for: "summary" });
    } else {
      const outcome = await notes.summary.generate(text, transcript.language);
      // Whoever went on to another lecture finds it there on return.
      if (notes !== this.#notes || outcome.kind === "overtaken") return;
      this.#stage.notify(
        outcome.kind === "done" ? { kind: "summaryGenerated" } : noticeOfSummary(outcome.error),
      );
    }
  }

  setSummary(text: string): void {
    this.#notes.summary.set(text);
  }

  correctRow(position: number, change: { english?: string; translated?: string }): void {
    this.#stage.current.transcript.correct(position, change);
    this.#stage.show();
  }

  retryTranslation(position: number): void {
    this.#stage.current.transcript.retry(position);
    this.#stage.show();
  }

  retranslate(language: TranslationLanguage): void {
    if (!isTargetLanguage(language)) return;
    this.setTargetLanguage(language);
    this.#stage.current.transcript.retranslate(language);
    this.#stage.show();
  }

  renameSpeaker(label: string, name: string): void {
    this.#notes.rename(label, name);
  }

  keepAsNew(id: string): Promise<void> {
    return this.#operations.keepAsNew(id);
  }

  wake(): void {
    if (this.#stage.state.phase === "disposed") return;
    if (this.#preparing) this.prepare();
    this.#stage.shelf.wake();
    void this.#stage.shelf.flush(saveWaitMs);
  }

  hasUnsavedChanges(): boolean {
    if (this.#stage.state.phase === "disposed") return false;
    return this.#recorder.capturing || this.#stage.shelf.unsaved;
  }

  carry(): CarriedTranscript | null {
    if (this.#identity !== "guest" || this.#stage.state.phase === "disposed") return null;
    const workspace = this.#stage.current;
    workspace.abandon();
    return carriedFrom(workspace);
  }

  dispose(): void {
    if (!this.#stage.send({ type: "disposed" })) return;
    this.#operations.dispose();
    this.#recorder.dispose();
    this.#devices.dispose();
    for (const leave of this.#leavePage) leave();
    this.#stage.dispose();
  }

  async #prepare(): Promise<void> {
    const { clock, link, log, spool } = this.#ports;
    try {
      await link.load();
      await spool?.sweep(clock.now() - spoolKeepMs);
    } catch {
      this.#prepared = false;
      log.warn("recording not prepared");
    }
  }

  get #notes() {
    return this.#stage.current.notes;
  }

  /** What is not saved is sent in a way that outlives the page, and saved as usual if it stays. */
  #leaving(): void {
    this.#stage.shelf.part();
    void this.#stage.shelf.flush(saveWaitMs);
  }
}
