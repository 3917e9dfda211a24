import type { TargetLanguage } from "../../shared/languages.ts";
import type { SessionApi, SessionNotice } from "./contract.ts";
import { Microphone } from "./microphone.ts";
import { noticeOfCreation, noticeOfStart } from "./notices.ts";
import { patiently } from "./patience.ts";
import type { SessionPorts } from "./ports.ts";
import { draftTitle } from "./titles.ts";
import type { Workspace } from "./workspace.ts";

/** Saving goes on by itself; a person who stops without a network does not wait for it. */
const flushWaitMs = 3_000;

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  language(): TargetLanguage;
  onChange(): void;
  /** The microphone is gone. */
  onLost(): void;
  /** Words or translations are being waited for. */
  onFinalizing(): void;
}

/** Starts and ends the flow of sound into a workspace. */
export class Recorder {
  readonly microphone: Microphone;
  readonly #deps: Deps;
  #capturing = false;
  #releaseClaim: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    const { audio, clock, log } = deps.ports;
    const { onChange, onLost } = deps;
    this.microphone = new Microphone({ source: audio, clock, log, onChange, onLost });
  }

  /** Sound flows, until `halt`. */
  get capturing(): boolean {
    return this.#capturing;
  }

  /**
   * Opens the microphone and, at the same time, the lecture's room: what is said meanwhile waits in
   * the spool. Returns what to tell when that fails; an aborted start is simply to be halted.
   */
  async start(workspace: Workspace, starting: AbortController): Promise<SessionNotice | null> {
    const { audio } = this.#deps.ports;
    if (!audio.supported()) return { kind: "notSupported" };
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      failure ??= notice;
      starting.abort();
    };
    await Promise.all([
      this.microphone
        .open((pcm) => workspace.addSound(pcm), starting.signal)
        .catch((error: unknown) => fail(noticeOfStart(error))),
      this.#openRoom(workspace, starting.signal).catch((error: unknown) =>
        fail(noticeOfCreation(error)),
      ),
    ]);
    this.#capturing = this.microphone.state !== "off";
    return failure;
  }

  /**
   * Ends the flow and keeps what was heard, waiting `waitMs` for words and translations and a moment
   * for the server to have them. True when sound was flowing.
   */
  async halt(workspace: Workspace, waitMs: number): Promise<boolean> {
    const ran = this.#capturing;
    await this.silence();
    if (workspace.connection !== "idle" || workspace.unfinished) {
      if (ran && workspace.unfinished && this.#deps.language() !== "none") {
        this.#deps.onFinalizing();
      }
      await workspace.finish(waitMs);
    }
    await workspace.flush(flushWaitMs);
    this.#releaseClaim();
    this.#releaseClaim = () => {};
    return ran;
  }

  /** Lets go of the microphone; its last chunk has arrived when this resolves. */
  async silence(): Promise<void> {
    await this.microphone.close();
    this.#capturing = false;
  }

  /** Ends everything without waiting. */
  dispose(): void {
    void this.silence();
    this.#releaseClaim();
  }

  /** Makes sure that the lecture exists, then connects to its room. */
  async #openRoom(workspace: Workspace, signal: AbortSignal): Promise<void> {
    const { api, identity, language, ports } = this.#deps;
    if (identity === "user") {
      this.#releaseClaim();
      this.#releaseClaim = (await ports.claim(workspace.recordingId)) ?? (() => {});
      if (!workspace.created) {
        const id = workspace.recordingId;
        const title = draftTitle(ports.clock.now());
        const targetLanguage = language();
        await patiently(ports.clock, () => api.createLecture({ id, title, targetLanguage }));
        workspace.confirm({ id, title, status: "draft" });
        if (language() !== targetLanguage) workspace.setLanguage(language());
      }
    }
    if (!signal.aborted) workspace.stream();
  }
}
