import type { ErrorCode } from "#shared/errors.ts";
import { defaultSourceLanguage, type TargetLanguage } from "#shared/languages.ts";
import type { RelayAllowance } from "#shared/relay.ts";
import { Allowance, askMs } from "./allowance.ts";
import type { Microphone } from "./audio/microphone.ts";
import { BackgroundLectures } from "./background-lectures.ts";
import { blank, type Opening } from "./lecture/initial-state.ts";
import { noticeOfEnd, noticeOfRefusal } from "./notices.ts";
import { Workspace } from "./open-lecture.ts";
import type { RelayEnd } from "./relay/relay-end.ts";
import { RoomAddress } from "./relay/room-address.ts";
import type { SessionApi } from "./server-api.ts";
import type { RecordingSessionOptions } from "./session-options.ts";
import type { SessionPorts } from "./session-ports.ts";
import {
  initialState,
  type SessionEvent,
  type SessionState,
  shown,
  transition,
} from "./session-state.ts";
import { Signal } from "./signal.ts";
import { limited } from "./timeouts-and-retries.ts";
import type { SessionNotice, SessionView } from "./types.ts";

interface Deps {
  options: RecordingSessionOptions;
  api: SessionApi;
  ports: SessionPorts;
  microphone(): Pick<Microphone, "state" | "deviceId">;
  /** The open lecture's connection is gone for good, and the person was told. */
  onEnd(): void;
  /** Work on a lecture that is not open has begun or ended. */
  onBackground(): void;
}

/** What is open and in which state, what the page is shown of it, and whom notices go to. */
export class Stage {
  readonly view: Signal<SessionView>;
  readonly shelf: BackgroundLectures;
  readonly allowance: Allowance;
  readonly #deps: Deps;
  readonly #address: RoomAddress;
  readonly #listeners = new Set<(notice: SessionNotice) => void>();
  #state = initialState;
  #language: TargetLanguage;
  #diarization: boolean;
  /** A guest's day was used up when the room was last heard. */
  #dayUsedUp = false;
  #lacksLine = false;
  #toldNoLine = false;
  #toldFull = false;
  #toldUnreadable = false;
  /** Lectures that the person was told are gone. */
  readonly #gone = new WeakSet<Workspace>();
  #built = false;

  constructor(deps: Deps, opening: Opening) {
    const { options, api, ports } = deps;
    this.#deps = deps;
    this.#language = opening.language;
    this.#diarization = options.diarization;
    this.#address = new RoomAddress({ api, ports, identity: options.identity });
    this.allowance = new Allowance(options.allowance ?? null, ports.clock);
    this.shelf = new BackgroundLectures(ports.clock, this.open(opening), deps.onBackground);
    this.view = new Signal(this.#look());
    this.#built = true;
  }

  get state(): SessionState {
    return this.#state;
  }
  get current(): Workspace {
    return this.shelf.current;
  }
  get language(): TargetLanguage {
    return this.#language;
  }

  onNotice(listener: (notice: SessionNotice) => void): () => void {
    const own = (notice: SessionNotice) => listener(notice);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  notify(notice: SessionNotice): void {
    for (const listener of [...this.#listeners]) {
      // What is under way ends in its phase even if the page cannot show what came of it.
      try {
        listener(notice);
      } catch (error) {
        this.#deps.ports.log.warn("notice not shown", {
          kind: notice.kind,
          error: error instanceof Error ? error.name : "unknown",
        });
      }
    }
  }

  /** True when `event` changed the state. */
  send(event: SessionEvent): boolean {
    const next = transition(this.#state, event);
    if (next === this.#state) return false;
    this.#state = next;
    if (next.phase === "starting") {
      this.allowance.begin();
      this.#toldNoLine = false;
    }
    this.show();
    return true;
  }

  setLanguage(language: TargetLanguage): void {
    this.#language = language;
    this.current.setLanguage(language);
    this.show();
  }

  setDiarization(on: boolean): void {
    this.#diarization = on;
    this.show();
  }

  /** Shows a blank screen; what was open goes on until it is saved, unless it is not to be kept. */
  clear(keep = true): void {
    this.#address.forget();
    this.replace(blank(this.#deps.ports.newId(), this.#language), keep);
  }

  /** As `clear`, with something else to show. `prepare` gets it while what was open still is. */
  replace(opening: Opening, keep = true, prepare: (next: Workspace) => void = () => {}): void {
    this.#language = opening.language;
    const next = this.open(opening);
    prepare(next);
    this.shelf.replace(next, keep && this.#deps.options.identity === "user");
    this.show();
  }

  /** True when the room has said that a guest's day is used up, and says so still. */
  async guestStaysRefused(outer: AbortSignal): Promise<boolean> {
    if (!this.#dayUsedUp) return false;
    this.#dayUsedUp = (await this.#refusal(outer)) === "guest_allowance_exhausted";
    return this.#dayUsedUp;
  }

  /** What to tell where the open lecture's room refuses for good; null where it does not, or nobody knows. */
  async findRefusal(outer: AbortSignal): Promise<SessionNotice | null> {
    const code = await this.#refusal(outer);
    // A lecture that is still to be created has no room yet.
    if (code === null || code === "not_found") return null;
    const { options, ports } = this.#deps;
    const { isFinal, refused } = await ports.loadLivePath();
    if (!isFinal(code)) return null;
    return noticeOfEnd(refused(code), options.identity, this.allowance.limitHours);
  }

  dispose(): void {
    this.shelf.dispose();
    this.#address.forget();
    this.#listeners.clear();
  }

  /** Tells the page, when what it shows has changed. */
  show(): void {
    if (!this.#built) return;
    const { phase, resting } = this.#state;
    const workspace = this.current;
    if (phase === "resting" && resting === "paused" && workspace.hasContent) workspace.heard = true;
    if (workspace.takes.connection === "live" || workspace.takes.connection === "idle")
      this.#lacksLine = false;
    this.#watchStorage();
    const view = this.#look();
    const before = this.view.get();
    const keys = Object.keys(view) as (keyof SessionView)[];
    if (keys.some((key) => !Object.is(view[key], before[key]))) this.view.set(view);
  }

  #refusal(outer: AbortSignal): Promise<ErrorCode | null> {
    const { clock, transport } = this.#deps.ports;
    const ask = async () =>
      transport.refusal(await this.#address.path(this.current.recordingId, false));
    return limited(clock, askMs, ask, outer).catch(() => null);
  }

  /** A lecture that is worked on, beside the open one until it takes its place. */
  open(opening: Opening): Workspace {
    const { options, api, ports } = this.#deps;
    const workspace: Workspace = new Workspace(
      {
        api,
        ports,
        identity: options.identity,
        encoding: options.audio ?? "binary",
        sourceLanguage: options.sourceLanguage ?? defaultSourceLanguage,
        diarization: () => this.#diarization,
        path: (recordingId, takesOver) => this.#address.path(recordingId, takesOver),
        onChange: () => this.show(),
        onAllowance: (message) => this.#counted(message),
        onHeldUp: (code) => this.#heldUp(workspace, code),
        onEnd: (end) => this.#ended(workspace, end),
        onRecovered: (seconds) => this.notify({ kind: "soundRecovered", seconds }),
        onUnreadable: () => this.#unreadable(),
        onMissing: (seconds) => this.notify({ kind: "soundMissing", seconds }),
        onTranslationFailed: () => {
          if (workspace === this.current) this.notify({ kind: "translationFailed" });
        },
        onRefused: (code) => {
          if (code === "not_found") this.#deletedElsewhere(workspace);
          else this.notify(noticeOfRefusal(code));
        },
      },
      opening,
    );
    return workspace;
  }

  #ended(workspace: Workspace, end: RelayEnd): void {
    if (workspace !== this.current) return;
    const { options, onEnd } = this.#deps;
    const code = end.kind === "refused" ? end.code : null;
    this.#dayUsedUp = code === "guest_allowance_exhausted";
    const notice = noticeOfEnd(end, options.identity, this.allowance.limitHours);
    if (code === "not_found") this.#deletedElsewhere(workspace);
    else if (notice !== null) this.notify(notice);
    onEnd();
  }

  /** The room and the saving both learn of it; of a lecture that was left it is nobody's concern any more. */
  #deletedElsewhere(workspace: Workspace): void {
    if (workspace !== this.current || this.#gone.has(workspace)) return;
    this.#gone.add(workspace);
    this.notify({ kind: "lectureDeletedElsewhere", id: workspace.recordingId });
  }

  #counted(message: RelayAllowance): void {
    const { identity } = this.#deps.options;
    if (message.type === "timer") {
      const { usedSeconds, limitSeconds } = message;
      this.allowance.count({ usedSeconds, limitSeconds });
      this.show();
    } else if (this.allowance.isNews()) {
      this.notify({ kind: "allowanceLow", seconds: message.remainingSeconds, identity });
    }
  }

  #heldUp(workspace: Workspace, code: ErrorCode): void {
    if (workspace !== this.current) return;
    this.#lacksLine = code === "busy";
    this.show();
    if (!this.#lacksLine || this.#toldNoLine || !shown(this.#state).canStop) return;
    this.#toldNoLine = true;
    this.notify({ kind: "noLine" });
  }

  #unreadable(): void {
    if (this.#toldUnreadable) return;
    this.#toldUnreadable = true;
    this.notify({ kind: "soundUnreadable" });
  }

  #watchStorage(): void {
    if (this.#toldFull || this.current.takes.storageState === "ok") return;
    this.#toldFull = true;
    this.notify({ kind: "storageFull" });
  }

  #look(): SessionView {
    const workspace = this.current;
    const { context, speakerNames } = workspace.notes;
    const microphone = this.#deps.microphone();
    return {
      ...shown(this.#state),
      heard: workspace.heard,
      connection: workspace.takes.connection,
      save: workspace.save,
      lecture: workspace.stored.working,
      recordedSeconds: workspace.recordedSeconds,
      waitingSeconds: workspace.unsentSeconds,
      usage: this.allowance.usage,
      lacksLine: this.#lacksLine,
      targetLanguage: this.#language,
      diarization: this.#diarization,
      context: context.text,
      contextState: context.state,
      speakerNames,
      microphone: microphone.state,
      microphoneId: microphone.deviceId,
      storage: workspace.takes.storageState,
    };
  }
}
