import { DurableObject } from "cloudflare:workers";
import { OpeningPace, type OpeningQueue } from "#server/recording/opening-pace.ts";

/**
 * The one object that paces the sessions which all rooms open at the speech service. What it knows is a minute old at
 * most, so it is only in memory: after a restart the service itself may refuse some sessions.
 */
export class SpeechOpenings extends DurableObject<Cloudflare.Env> {
  readonly #pace = new OpeningPace();

  /** @returns ms that `room` waits before it opens a session */
  reserve(room: string, maxAMinute: number): number {
    return this.#pace.reserve(room, maxAMinute, Date.now());
  }

  readQueue(): OpeningQueue {
    return this.#pace.readQueue(Date.now());
  }
}
