import type { TakeDeps, TakeEvents } from "#client/sound/takes/take.ts";
import { ManualClock } from "./manual-clock.ts";

/** Of a take that is kept in memory only, and whose lecture does nothing. */
export const createTakeDeps = (
  events: Partial<TakeEvents> = {},
): TakeDeps & { clock: ManualClock } => ({
  storage: null,
  clock: new ManualClock(),
  log: { warn() {} },
  events: {
    onLoaded() {},
    onStorageState() {},
    onKeptRemoved() {},
    onMissing() {},
    ...events,
  },
});
