import { Microphone } from "./audio/microphone.ts";
import { noticeOfCreation, noticeOfStart } from "./notices.ts";
import type { Workspace } from "./open-lecture.ts";
import type { SessionPorts } from "./session-ports.ts";
import { limited } from "./timeouts-and-retries.ts";
import type { SessionNotice } from "./types.ts";

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
  onNotice(notice: SessionNotice): void;
  onLost(): void;
  /** What to tell where the room refuses for good; null where it does not, or nobody knows. */
  findRefusal(signal: AbortSignal): Promise<SessionNotice | null>;
  /** The lecture's room is about to be connected to, now. */
  onConnecting(): void;
  /** The microphone is open: the browser may tell more about its devices now. */
  onOpened(): void;
  onFinalizing(): void;
}

export class Recorder {
  readonly microphone: Microphone;
  readonly #deps: Deps;
  #capturing = false;
  #letSleep: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    const { ports, onNotice, microphoneId } = deps;
    this.microphone = new Microphone(
      {
        ...deps,
        ...ports,
        source: ports.audio,
        onNotChanged: () => onNotice({ kind: "microphoneNotChanged" }),
        onMissing: (seconds) => onNotice({ kind: "soundMissing", seconds }),
      },
      microphoneId,
    );
  }

  get capturing(): boolean {
    return this.#capturing;
  }

  /** Opens microphone and room at once. Returns what to tell when that fails; null when aborted. */
  async start(workspace: Workspace, starting: AbortController): Promise<SessionNotice | null> {
    const { ports, onOpened } = this.#deps;
    if (!ports.audio.supported()) return { kind: "notSupported" };
    try {
      const { clock, loadLivePath } = ports;
      const live = await limited(clock, fetchMs, loadLivePath, starting.signal);
      await workspace.beginTake(live);
    } catch {
      return starting.signal.aborted ? null : { kind: "programMissing" };
    }
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      if (!starting.signal.aborted) failure = notice;
      starting.abort();
    };
    const refuse = async () => {
      const refusal = await this.#deps.findRefusal(starting.signal);
      if (refusal === null || starting.signal.aborted) return;
      workspace.takes.discardCurrent();
      fail(refusal);
    };
    await Promise.all([
      this.microphone
        .open((pcm) => workspace.addSound(pcm), starting.signal)
        .then(onOpened)
        .catch((error: unknown) => fail(noticeOfStart(error))),
      refuse()
        .then(() => this.#openRoom(workspace, starting.signal))
        .catch((error: unknown) => fail(noticeOfCreation(error))),
    ]);
    this.#capturing = this.microphone.state !== "off";
    if (this.#capturing && !starting.signal.aborted) this.#letSleep = ports.page.keepAwake();
    return failure;
  }

  /** Ends the flow, waiting `waitMs` for words and translations. True when sound was flowing. */
  async halt(workspace: Workspace, waitMs: number): Promise<boolean> {
    const ran = this.#capturing;
    await this.silence();
    workspace.endTake();
    if (workspace.hasUnsentAudio && !workspace.stored.created) await this.#create(workspace);
    const reachable = workspace.stored.created || this.#deps.identity === "guest";
    const drains = workspace.takes.connection !== "idle" || (workspace.hasUnsentAudio && reachable);
    if (drains || workspace.unfinished) {
      if (ran && workspace.unfinished && workspace.transcript.language !== "none") {
        this.#deps.onFinalizing();
      }
      this.#deps.onConnecting();
      await workspace.finish(waitMs);
    }
    await workspace.stored.flush(flushWaitMs);
    return ran;
  }

  /** Lets go of the microphone; its last chunk has arrived when this resolves. */
  async silence(): Promise<void> {
    this.#letSleep();
    this.#letSleep = () => {};
    await this.microphone.close();
    this.#capturing = false;
  }

  /** What was said before the room was reached needs a lecture to become words in. */
  async #create(workspace: Workspace): Promise<void> {
    const { clock, log } = this.#deps.ports;
    try {
      await limited(clock, flushWaitMs, (signal) => workspace.stored.create(signal));
    } catch {
      log.warn("lecture of captured sound not created yet");
    }
  }

  async #openRoom(workspace: Workspace, outer: AbortSignal): Promise<void> {
    const { identity, ports } = this.#deps;
    if (outer.aborted) return;
    if (identity === "user") {
      await limited(ports.clock, creationMs, (signal) => workspace.stored.create(signal), outer);
    }
    if (outer.aborted) return;
    this.#deps.onConnecting();
    workspace.stream();
  }
}
