import type { RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import type { RoomState } from "#server/recording/room/state.ts";
import { type RelayToken, relayClose } from "#shared/relay.ts";
import type { SharedSpeech } from "./room/events.ts";
import { keepNewest, liveMaxLength } from "./room/status.ts";
import type { RecordingState } from "./room/stored.ts";

type Words = Pick<SharedSpeech, "finals" | "interim">;

export const noWords: Words = { finals: [], interim: [] };

/** Characters beyond those that are kept, after which the oldest words are dropped: not with each new word. */
const spareLength = 1_000;

/** What the page of a recording was sent last: final words, of which some may have no row yet, and the interim ones. */
export class RecentWords {
  #finals: RelayToken[] = [];
  /** Characters of `#finals`. */
  #length = 0;
  #interim: readonly RelayToken[] = [];

  /** Adds what a step of the recording room has sent. Every room does so with every word, so it does not copy. */
  add(effects: readonly RoomEffect[]): void {
    for (const effect of effects) {
      if (effect.type !== "send" || effect.message.type !== "tokens") continue;
      const { tokens } = effect.message;
      this.#interim = tokens.filter(({ is_final }) => !is_final);
      for (const token of tokens) if (token.is_final) this.#addFinal(token);
    }
  }

  read(): Words {
    return { finals: keepNewest([...this.#finals]), interim: this.#interim };
  }

  #addFinal(token: RelayToken): void {
    this.#finals.push(token);
    this.#length += token.text.length;
    if (this.#length <= liveMaxLength + spareLength) return;
    this.#finals = [...keepNewest(this.#finals)];
    this.#length = this.#finals.reduce((sum, { text }) => sum + text.length, 0);
  }
}

/** For a share that follows the recording from now on; null: nothing is recorded. */
export function toSharedStart({ client }: RoomState, recent: RecentWords): SharedSpeech | null {
  return client?.settings == null ? null : { recording: "live", ...recent.read(), isWhole: true };
}

/**
 * What a step of the recording room means for the readers of its lecture; null: nothing new. `before` is what they
 * were last told.
 */
export function toSharedSpeech(
  before: RecordingState | null,
  event: RoomEvent,
  { client }: RoomState,
  effects: readonly RoomEffect[],
): SharedSpeech | null {
  const recording = getRecordingState(before, event, client?.settings != null, effects);
  if (recording === null) return null;
  const words = readWords(effects);
  if (words === null && recording === before) return null;
  return { recording, ...(words ?? noWords) };
}

/** The words of the messages among `effects`; null: there are none. */
function readWords(effects: readonly RoomEffect[]): Words | null {
  const finals: RelayToken[] = [];
  let interim: readonly RelayToken[] | null = null;
  for (const effect of effects) {
    if (effect.type !== "send" || effect.message.type !== "tokens") continue;
    const { tokens } = effect.message;
    finals.push(...tokens.filter(({ is_final }) => is_final));
    interim = tokens.filter(({ is_final }) => !is_final);
  }
  return interim && { finals, interim };
}

function getRecordingState(
  before: RecordingState | null,
  event: RoomEvent,
  isLive: boolean,
  effects: readonly RoomEffect[],
): RecordingState | null {
  if (isLive) return "live";
  if (before !== "live") return before;
  if (event.type === "clientClosed" && event.code === relayClose.normal) return "stopped";
  // The client may not continue: the sign-in, the allowance or the lecture has ended.
  const isRefused = effects.some(
    (effect) => effect.type === "closeClient" && effect.code === relayClose.policy,
  );
  return isRefused ? "stopped" : "lost";
}
