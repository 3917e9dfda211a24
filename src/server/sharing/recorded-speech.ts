import type { RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import type { RoomState } from "#server/recording/room/state.ts";
import type { RelayToken } from "#shared/relay.ts";
import { relayClose } from "#shared/relay.ts";
import type { SharedSpeech } from "./room/events.ts";
import type { RecordingState } from "./room/stored.ts";

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
  const finals: RelayToken[] = [];
  let interim: readonly RelayToken[] | null = null;
  for (const effect of effects) {
    if (effect.type !== "send" || effect.message.type !== "tokens") continue;
    const { tokens } = effect.message;
    finals.push(...tokens.filter(({ is_final }) => is_final));
    interim = tokens.filter(({ is_final }) => !is_final);
  }
  if (interim === null && recording === before) return null;
  return { recording, finals, interim: interim ?? [] };
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
