import type { RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import type { RoomState } from "#server/recording/room/state.ts";
import {
  noWords,
  type RecentWords,
  toSharedSpeech,
  toSharedStart,
} from "#server/sharing/recorded-speech.ts";
import type { SharedSpeech } from "#server/sharing/room/events.ts";
import type { RecordingState } from "#server/sharing/room/stored.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import type { ShareRoomCalls } from "#worker/adapters/durable-objects.ts";

const retries: Backoff = { firstMs: 1_000, maxMs: 60_000 };
/** About five minutes. */
const retriesMax = 10;

/**
 * Forwards the words of a recording to its share. One call at a time: what comes meanwhile is joined, so that a slow
 * object of the share costs the recording nothing.
 */
export class ShareLink {
  #waiting: SharedSpeech | null = null;
  #isSending = false;

  constructor(
    private readonly rooms: DurableObjectNamespace<ShareRoomCalls>,
    readonly shareId: string,
    /** What the share was told last. */
    private recording: RecordingState | null,
    private readonly onEnded: () => void,
  ) {}

  /** A step of the recording room. */
  observe(event: RoomEvent, state: RoomState, effects: readonly RoomEffect[]): void {
    this.#forward(toSharedSpeech(this.recording, event, state, effects));
  }

  /** For a share that follows the recording from now on, in the middle of a sentence perhaps. */
  start(state: RoomState, recent: RecentWords): void {
    this.#forward(toSharedStart(state, recent));
  }

  #forward(speech: SharedSpeech | null): void {
    if (speech === null) return;
    this.recording = speech.recording;
    const waiting = this.#waiting;
    this.#waiting =
      waiting === null || speech.isWhole
        ? speech
        : { ...waiting, ...speech, finals: [...waiting.finals, ...speech.finals] };
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    let failures = 0;
    while (this.#waiting !== null) {
      const speech = this.#waiting;
      this.#waiting = null;
      try {
        // Anew each time: a stub that has failed may go on failing.
        const room = this.rooms.getByName(this.shareId);
        if (!(await room.reportSpeech(this.shareId, speech))) {
          this.onEnded();
          return;
        }
      } catch {
        // Lost words come again as rows. That the recording has ended, nothing else says.
        if (speech.recording === "live" || failures === retriesMax) continue;
        const delayMs = getBackoffMs(retries, failures);
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        failures += 1;
        this.#waiting ??= { ...speech, ...noWords };
      }
    }
    this.#isSending = false;
  }
}
