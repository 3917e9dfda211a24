import type { SessionNotice } from "./contract.ts";
import { Microphone } from "./microphone.ts";
import { noticeOfCreation, noticeOfStart } from "./notices.ts";
import { limited } from "./patience.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { Workspace } from "./workspace.ts";

/** Saving goes on by itself; a person who stops without a network does not wait for it. */
const flushWaitMs = 3_000;
/** How long a start waits for its lecture to exist; what is said meanwhile is kept. */
const creationMs = 20_000;

/** How long a start waits for the code that it needs, where that is not there yet. */
const fetchMs = 15_000;

interface Deps {
  ports: SessionPorts;
  identity: "user" | "guest";
  microphoneId: string | null;
  onChange(): void;
  /** Tells the person something about the microphone. */
  onNotice(notice: SessionNotice): void;
  /** The microphone is gone. */
  onLost(): void;
  /** The lecture's room is about to be connected to, now. */
  onConnecting(): void;
  /** The microphone is open: the browser may tell more about its devices now. */
  onOpened(): void;
  /** Words or translations are being waited for. */
  onFinalizing(): void;
}

/** Starts and ends the flow of sound into a workspace. */
export class Recorder {
  readonly microphone: Microphone;
  readonly #deps: Deps;
  #capturing = false;
  #releaseClaim: () => void = () => {};
  #letSleep: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    const { audio, clock, log } = deps.ports;
    const { onChange, onLost, onNotice, microphoneId } = deps;
    this.microphone = new Microphone(
      {
        source: audio,
        clock,
        log,
        onChange,
        onLost,
        onNotChanged: () => onNotice({ kind: "microphoneNotChanged" }),
        onMissing: (seconds) => onNotice({ kind: "soundMissing", seconds }),
      },
      microphoneId,
    );
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
    const { ports, onOpened } = this.#deps;
    if (!ports.audio.supported()) return { kind: "notSupported" };
    try {
      await limited(ports.clock, fetchMs, () => workspace.link.ready(), starting.signal);
    } catch {
      return starting.signal.aborted ? null : { kind: "programMissing" };
    }
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      if (!starting.signal.aborted) failure = notice;
      starting.abort();
    };
    await Promise.all([
      this.microphone
        .open((pcm) => workspace.addSound(pcm), starting.signal)
        .then(onOpened)
        .catch((error: unknown) => fail(noticeOfStart(error))),
      this.#openRoom(workspace, starting.signal).catch((error: unknown) =>
        fail(noticeOfCreation(error)),
      ),
    ]);
    this.#capturing = this.microphone.state !== "off";
    if (this.#capturing && !starting.signal.aborted) this.#letSleep = ports.page.keepAwake();
    return failure;
  }

  /**
   * Ends the flow and keeps what was heard, waiting `waitMs` for words and translations and a moment
   * for the server to have them. True when sound was flowing.
   */
  async halt(workspace: Workspace, waitMs: number): Promise<boolean> {
    const ran = this.#capturing;
    await this.silence();
    if (workspace.link.waits && !workspace.created) await this.#create(workspace);
    const reachable = workspace.created || this.#deps.identity === "guest";
    const drains = workspace.link.state !== "idle" || (workspace.link.waits && reachable);
    if (drains || workspace.unfinished) {
      if (ran && workspace.unfinished && workspace.transcript.language !== "none") {
        this.#deps.onFinalizing();
      }
      this.#deps.onConnecting();
      await workspace.finish(waitMs);
    }
    await workspace.flush(flushWaitMs);
    this.#releaseClaim();
    this.#releaseClaim = () => {};
    return ran;
  }

  /** Lets go of the microphone; its last chunk has arrived when this resolves. */
  async silence(): Promise<void> {
    this.#letSleep();
    this.#letSleep = () => {};
    await this.microphone.close();
    this.#capturing = false;
  }

  /** Ends everything without waiting. */
  dispose(): void {
    void this.silence();
    this.#releaseClaim();
  }

  /** What was said before the room was reached needs a lecture to become words in. */
  async #create(workspace: Workspace): Promise<void> {
    const { clock, log } = this.#deps.ports;
    try {
      await limited(clock, flushWaitMs, (signal) => workspace.create(signal));
    } catch {
      log.warn("lecture of captured sound not created yet");
    }
  }

  /** Makes sure that the lecture exists, then connects to its room. */
  async #openRoom(workspace: Workspace, outer: AbortSignal): Promise<void> {
    const { identity, ports } = this.#deps;
    if (identity === "user") {
      const open = async (signal: AbortSignal) => {
        this.#releaseClaim();
        const release = await ports.claim(workspace.recordingId);
        if (signal.aborted) {
          release?.();
          return;
        }
        if (release === null) {
          // The room lets this page take over; the other's sound that was not sent lies in the storage.
          ports.log.warn("another page has the recording: sound kept in memory alone");
          workspace.link.keepInMemory();
        } else {
          this.#releaseClaim = release;
        }
        await workspace.create(signal);
      };
      await limited(ports.clock, creationMs, open, outer);
    }
    if (outer.aborted) return;
    this.#deps.onConnecting();
    workspace.stream();
  }
}
