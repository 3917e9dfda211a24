import type { RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import type { RoomState } from "#server/recording/room/state.ts";
import { type RelayToken, relayClose } from "#shared/relay.ts";
import type { SharedSpeech } from "./room/events.ts";
import { keepNewest } from "./room/status.ts";
import type { RecordingState } from "./room/stored.ts";

/** What the page of a recording was sent last: final words, of which some may have no row yet, and the interim ones. */
export type RecentWords = Pick<SharedSpeech, "finals" | "interim">;

export const noWords: RecentWords = { finals: [], interim: [] };

/** Adds what a step of the recording room has sent. The same object if that were no words. */
export function addWords(recent: RecentWords, effects: readonly RoomEffect[]): RecentWords {
  const words = readWords(effects);
  if (words === null) return recent;
  const finals = words.finals.length === 0 ? recent.finals : [...recent.finals, ...words.finals];
  return { finals: keepNewest(finals), interim: words.interim };
}

/** For a share that follows the recording from now on; null: nothing is recorded. */
export function toSharedStart({ client }: RoomState, recent: RecentWords): SharedSpeech | null {
  return client?.settings == null ? null : { recording: "live", ...recent, isWhole: true };
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
function readWords(effects: readonly RoomEffect[]): RecentWords | null {
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
