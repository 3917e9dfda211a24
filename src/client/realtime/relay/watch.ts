import { keepaliveMs } from "../../../shared/limits.ts";
import { type Clock, every } from "../ports.ts";
import type { RelayConnection } from "./connection.ts";

/** Sound was sent and nothing heard for so long: the connection is dead, whatever the socket says. */
const silentMs = 10_000;
const watchMs = 1_000;

/** Keeps the current connection alive and tells when it has fallen silent; returns the way to stop. */
export function watch(
  clock: Clock,
  connection: () => RelayConnection | null,
  onSilent: () => void,
): () => void {
  const stopKeepalive = every(clock, keepaliveMs, () => connection()?.sendKeepalive());
  const stopCheck = every(clock, watchMs, () => {
    if (connection()?.silentFor(silentMs) === true) onSilent();
  });
  return () => {
    stopKeepalive();
    stopCheck();
  };
}
