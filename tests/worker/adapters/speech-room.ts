import { vi } from "vitest";
import type { RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import { relaySendWindow } from "#shared/limits.ts";
import { TestRoom } from "#tests/unit/server/recording/room/test-room.ts";
import { type SpokenLecture, toLanguageConfig } from "#tests/worker/recording/support.ts";
import type { SpeechSession, SpeechSettings } from "#worker/adapters/speech-session.ts";
import { openSpeechSession } from "#worker/services.ts";

/**
 * The room's rules with the adapter of a speech service; the page sends one lecture. Timers are vitest's: time passes
 * only in `until`, after each answer of `reachService`, so a slow machine changes nothing.
 */
export class SpeechRoom extends TestRoom {
  readonly #sessions = new Map<number, { session?: SpeechSession; abort: AbortController }>();
  #alarm: ReturnType<typeof setTimeout> | undefined;
  #sent = 0;

  constructor(
    readonly settings: SpeechSettings,
    readonly lecture: SpokenLecture,
    readonly reachService: () => Promise<unknown>,
  ) {
    super();
    this.connect();
    const { codec } = lecture;
    const position = { from: 0, heldMs: 0, lectureEndMs: 0 };
    this.config({ codec, audio: "binary", ...position, ...toLanguageConfig(lecture) });
  }

  override step(event: RoomEvent): RoomEffect[] {
    this.now = Date.now();
    const effects = super.step(event);
    for (const effect of effects) this.#run(effect);
    return effects;
  }

  #run(effect: RoomEffect): void {
    if (effect.type === "openProvider") void this.#open(effect);
    else if (effect.type === "writeUsage") queueMicrotask(() => this.usageFlushed());
    else if (effect.type === "setAlarm") {
      clearTimeout(this.#alarm);
      const wake = () => this.step({ type: "alarm" });
      this.#alarm = setTimeout(wake, Math.max(0, effect.at - this.now));
    } else if ("sessionId" in effect) {
      const { session, abort } = this.#sessions.get(effect.sessionId) ?? {};
      if (effect.type === "sendAudio") session?.sendAudio(effect.data);
      else if (effect.type === "sendControl") session?.sendControl(effect.control);
      else if (effect.type === "changeTerms") session?.changeTerms?.(effect.terms);
      else {
        abort?.abort();
        session?.close();
      }
    }
  }

  async #open({ sessionId, start }: Extract<RoomEffect, { type: "openProvider" }>): Promise<void> {
    const abort = new AbortController();
    this.#sessions.set(sessionId, { abort });
    try {
      const session = await openSpeechSession(
        this.settings,
        start,
        {
          message: (message) => this.step({ type: "providerMessage", message, sessionId }),
          closed: (code) => this.step({ type: "providerClosed", code, sessionId }),
        },
        abort.signal,
      );
      this.#sessions.set(sessionId, { session, abort });
      const { answersSilence } = session;
      const canChangeTerms = session.changeTerms !== undefined;
      this.step({ type: "providerOpened", sessionId, canChangeTerms, answersSilence });
    } catch (error) {
      this.step({ type: "providerFailed", detail: String(error), sessionId });
    }
  }

  /** Sends the chunks before number `count`. */
  sendUntil(count: number): void {
    const { chunks, chunksWithLeadIn } = this.lecture;
    for (; this.#sent < count; this.#sent += 1) {
      const chunk = (this.#sent === 0 && chunksWithLeadIn[0]) || chunks[this.#sent];
      if (!chunk) throw new RangeError(`chunk ${this.#sent} does not exist`);
      this.browser({ type: "audio", seq: this.#sent, chunk, binary: true });
    }
  }

  /** Sends the chunks before number `count` as they are spoken, as far as the send window allows. */
  async speakUntil(count: number): Promise<void> {
    while (this.#sent < count) {
      await this.until(() => this.#sent - this.#acknowledged < relaySendWindow);
      this.sendUntil(this.#sent + 1);
      await this.reachService();
      vi.advanceTimersByTime(this.lecture.chunkMs);
    }
  }

  /** Chunks that the page need not send again. */
  get #acknowledged(): number {
    return (this.listSent("ack").at(-1)?.seq ?? -1) + 1;
  }

  /** What the room has logged of lost sessions. */
  listLosses(): string[] {
    const events = this.listEffects("log").map(({ event }) => event);
    return events.filter((event) => ["provider_lost", "finalize_timed_out"].includes(event));
  }

  /** Acknowledged chunks that end after a spoken word whose text had not been sent before. */
  listAcknowledgedWithoutWords(): number[] {
    const { words, chunkMs } = this.lecture;
    let said = "";
    return this.listEffects("send").flatMap(({ message }) => {
      if (message.type === "tokens")
        said += message.tokens.map((token) => (token.is_final ? token.text : "")).join("");
      if (message.type !== "ack") return [];
      const spoken = words.filter(({ endMs }) => endMs <= (message.seq + 1) * chunkMs);
      const text = spoken.map((word) => word.text).join(" ");
      return said.trim().startsWith(text) ? [] : [message.seq];
    });
  }

  /** Sends the chunks before number `count`, and waits until the room has acknowledged some. */
  async hear(count: number): Promise<void> {
    this.sendUntil(count);
    await this.until(() => this.listSent("ack").length > 0);
  }

  /** Lets time pass until `isDone`. */
  async until(isDone: () => boolean | Promise<boolean>): Promise<void> {
    for (let round = 0; !(await isDone()); round += 1) {
      if (round === 200) throw new Error("The room did not get there within 50 s of its clock.");
      await this.reachService();
      vi.advanceTimersByTime(250);
    }
  }

  /** Stops, and waits for the answer. */
  async stop(): Promise<void> {
    const { length } = this.listSent("finalized");
    this.browser({ type: "finalize" });
    await this.until(() => this.listSent("finalized").length > length);
  }

  /** Sends the rest, stops and disconnects; resolves with all final words. */
  async finish(): Promise<string> {
    this.sendUntil(this.lecture.chunks.length);
    await this.stop();
    for (const { session } of this.#sessions.values()) session?.close();
    clearTimeout(this.#alarm);
    return this.text;
  }

  /** All final words that the page has. */
  get text(): string {
    const tokens = this.listSent("tokens").flatMap((one) => one.tokens);
    const finals = tokens.filter((token) => token.is_final).map(({ text }) => text);
    return finals.join("").trim();
  }
}
