import { Signal } from "#client/lib/observable.ts";
import type { SoundPlayer } from "#client/realtime/sound/sound-player.ts";

/** The player of the shown lecture's kept sound; null while none is kept, or while it is recorded. */
export const shownSound = new Signal<SoundPlayer | null>(null);
