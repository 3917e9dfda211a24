import type { ErrorCode } from "../../shared/errors.ts";
import type { TargetLanguage } from "../../shared/languages.ts";
import type { Lecture } from "../../shared/lecture.ts";
import type { AudioEncoding } from "../../shared/relay.ts";
import { AutoSave } from "./auto-save.ts";
import type { SaveState, SessionApi, WorkingLecture } from "./contract.ts";
import { LiveTranscript } from "./live-transcript.ts";
import { languageOf, type Opening, rowsOf } from "./opening.ts";
import type { SessionPorts } from "./ports.ts";
import { RecordingLink } from "./recording-link.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";
import { chunkMs } from "./spool/recording-clock.ts";

/** A lecture that was left is given up after so many refusals. */
const refusalsMax = 3;

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  encoding: AudioEncoding;
  diarization(): boolean;
  path(recordingId: string): Promise<string>;
  /** Something that the page shows has changed. */
  onChange(): void;
  onTimer(usedSeconds: number, limitSeconds: number): void;
  onEnd(end: RelayEnd): void;
  /** Sound of an earlier page has become words. */
  onRecovered(seconds: number): void;
  /** Saving is refused for good. */
  onRefused(code: ErrorCode): void;
}

/** One open lecture: its rows, the way of its sound and its saving. Goes on when another is opened. */
export class Workspace {
  readonly transcript: LiveTranscript;
  readonly recordingId: string;
  lecture: WorkingLecture | null;
  /** The lecture exists on the server. */
  created: boolean;
  save: SaveState;
  readonly #deps: Deps;
  readonly #link: RecordingLink;
  readonly #saver: AutoSave | null;
  readonly #openedSeconds: number;
  #recovering: { seconds: number; rows: number } | null = null;
  #streaming = false;
  #refusals = 0;
  #disposed = false;

  constructor(deps: Deps, opening: Opening) {
    const { api, ports, identity } = deps;
    const { clock, log, random } = ports;
    this.#deps = deps;
    this.recordingId = opening.link.recordingId;
    this.lecture = opening.lecture;
    this.created = opening.created;
    this.#openedSeconds = opening.recordedSeconds;
    this.save = identity === "guest" ? "local" : "saved";
    this.#saver =
      identity === "guest"
        ? null
        : new AutoSave(
            {
              api,
              lectureId: this.recordingId,
              clock,
              log,
              random,
              row: (position) => this.transcript.store.row(position),
              merge: (stored) => this.#merge(stored),
              onState: (state) => {
                this.save = state;
                deps.onChange();
              },
              onSaved: () => {
                this.#refusals = 0;
                this.#release();
              },
              onRefused: (code) => {
                this.#refusals += 1;
                // Once: each further change asks the server again and would be refused again.
                if (this.#refusals === 1) deps.onRefused(code);
              },
            },
            opening.savedRows,
          );
    this.transcript = new LiveTranscript(
      {
        translate: (input, signal) => api.translate(input, signal),
        clock,
        log,
        onRow: (position) => {
          // A lecture that the server has not confirmed yet is saved from its first row on.
          if (this.created) this.#saver?.touch(position);
        },
      },
      opening,
    );
    const { held, nextSeq } = opening.link;
    this.#link = new RecordingLink(
      {
        transport: ports.transport,
        clock,
        log,
        random,
        encoding: deps.encoding,
        // A guest's rows die with the page, so there is nothing that spooled sound could complete.
        storage: identity === "guest" ? null : ports.spool,
        path: () => deps.path(this.recordingId),
        config: () => ({ diarization: deps.diarization(), finalMs: this.transcript.finalMs }),
        onTokens: (batch, resumedAtMs) =>
          this.transcript.absorb(batch, resumedAtMs, deps.diarization()),
        onTimer: deps.onTimer,
        onProgress: () => {
          this.#release();
          deps.onChange();
        },
        onDrained: () => this.#drained(),
        onEnd: (end) => {
          this.transcript.commit();
          // Nobody asked for a recovery: what cannot be had now waits for the next visit.
          if (this.#recovering === null || this.#streaming) deps.onEnd(end);
          else ports.log.warn("left-over sound refused", { kind: end.kind });
          deps.onChange();
        },
      },
      opening.link,
    );
    if (held.length > 0) {
      const seconds = Math.ceil((nextSeq * chunkMs - opening.finalMs) / 1_000);
      this.#recovering = { seconds: Math.max(seconds, 1), rows: opening.rows.length };
    }
  }

  get connection() {
    return this.#link.state;
  }
  get waitingSeconds(): number {
    return this.#link.waitingSeconds;
  }
  get recordedSeconds(): number {
    return Math.max(this.#openedSeconds, Math.floor(this.#link.recordedMs / 1_000));
  }
  get hasContent(): boolean {
    return this.transcript.store.length > 0 || this.transcript.hasLiveText;
  }
  /** Words or their translations are still on their way. */
  get unfinished(): boolean {
    return this.transcript.hasLiveText || this.transcript.pendingTranslations > 0;
  }
  /** Closing the page now would lose something. */
  get unsaved(): boolean {
    if (this.#saver === null || !this.created) return this.hasContent;
    return !this.#saver.clean || this.unfinished || this.#link.volatile;
  }

  addSound(pcm: Uint8Array<ArrayBuffer>): void {
    this.#link.add(pcm);
    this.#deps.onChange();
  }

  stream(): void {
    this.#streaming = true;
    this.#link.stream();
  }

  wake(): void {
    this.#link.wake();
    this.transcript.wake();
  }

  /** Sends what an earlier page left; the words become rows, and `onRecovered` is called. */
  recover(): void {
    if (this.#recovering !== null) void this.#link.drain(new Promise(() => {}));
  }

  /** The lecture was created on the server under this id. */
  confirm(lecture: WorkingLecture): void {
    this.lecture = lecture;
    this.created = true;
    const last = this.transcript.store.length - 1;
    if (last >= 0) this.#saver?.touch(last);
    this.#deps.onChange();
  }

  setLanguage(language: TargetLanguage): void {
    this.transcript.setLanguage(language);
    if (this.created) this.#saver?.setLanguage(language);
  }

  /** Has what was heard finalised and translated; resolves after `timeoutMs` at the latest. */
  async finish(timeoutMs: number): Promise<void> {
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#deps.ports.clock.after(timeoutMs, resolve);
    });
    await this.#link.drain(timeout);
    const translated = new Promise<void>((resolve) => this.transcript.whenTranslated(resolve));
    await Promise.race([translated, timeout]);
    cancel();
  }

  /** Saves now; true when the server has confirmed everything within `timeoutMs`. */
  async flush(timeoutMs: number): Promise<boolean> {
    if (this.#saver === null || !this.created) return true;
    return this.#saver.flush(timeoutMs);
  }

  /**
   * Makes rows of what was heard and closes the connection. Sound that has no words yet stays in the
   * spool, for the next visit of this lecture.
   */
  abandon(): void {
    this.transcript.commit();
    this.#link.close();
  }

  /** Resolves when nothing is on its way any more: rows translated, and saved or refused for good. */
  async settled(pollMs: number): Promise<void> {
    while (!this.#disposed && this.unsaved && this.#refusals < refusalsMax) {
      if (this.transcript.pendingTranslations === 0) await this.flush(pollMs);
      if (this.#disposed || !this.unsaved) return;
      await new Promise<void>((resolve) => this.#deps.ports.clock.after(pollMs, resolve));
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#link.close();
    this.transcript.dispose();
    this.#saver?.dispose();
  }

  /** Takes in what another page or device has written; see `LiveTranscript.merge`. */
  #merge(stored: Lecture): readonly number[] {
    const { store } = this.transcript;
    const before = store.length;
    const language = languageOf(stored);
    const savedRows = this.#saver?.savedRows ?? 0;
    const changed = this.transcript.merge(rowsOf(stored, language), language, savedRows);
    // Rows that came from elsewhere are not words recovered here.
    if (this.#recovering !== null) this.#recovering.rows += store.length - before;
    this.#deps.onChange();
    return changed;
  }

  #drained(): void {
    this.transcript.commit();
    const recovering = this.#recovering;
    this.#recovering = null;
    if (recovering !== null && this.transcript.store.length > recovering.rows) {
      this.#deps.onRecovered(recovering.seconds);
    }
    this.#release();
    this.#deps.onChange();
  }

  /** Lets the storage forget what is saved. */
  #release(): void {
    if (this.#saver === null) return;
    const row = this.transcript.store.row(this.#saver.savedRows);
    const starts = [row?.startMs, this.transcript.liveStartMs].filter(
      (ms) => typeof ms === "number",
    );
    this.#link.release(starts.length === 0 ? null : Math.min(...starts));
  }
}
