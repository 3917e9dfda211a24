import type { RelayConfig } from "#shared/relay.ts";
import { getOffsetMs, type StreamPosition, type TakeConfig, toSeq } from "./take-placement.ts";

/**
 * Translates the specified wire, which knows no takes and no numbers: a connection is a take, of which the client
 * resends nothing, and each of its chunks is the next one. The rest of the room knows only takes.
 */

export function nameTake(config: RelayConfig, socketId: string, room: StreamPosition): TakeConfig {
  if (config.take !== undefined) return { ...config, take: config.take };
  const { placement, expectedSeq, deliveredMs } = room;
  if (placement?.take !== socketId) return { ...config, take: socketId };
  const heldMs = Math.max(0, deliveredMs - getOffsetMs(placement));
  return { ...config, take: socketId, from: toSeq(placement, expectedSeq), heldMs };
}

export function numberChunk(
  seq: number | null,
  { placement, expectedSeq }: StreamPosition,
): number {
  return seq ?? (placement ? toSeq(placement, expectedSeq) : 0);
}
