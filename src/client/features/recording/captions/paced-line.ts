import type { LiveLine, TranscriptView } from "#client/lecture/lecture-document.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import { type Observable, Signal } from "#client/lib/observable.ts";

/** Shortest time between two texts of a sentence, ms: about a word. */
export const paceMs = 400;

/**
 * The live line of a transcript for a second view: seldom enough that the page, whose thread lays it out too, is not
 * slowed down. A new sentence, and rows in place of the line, are shown at once: no word is there twice, or missing.
 */
export function paceLine(
  { live, blocks }: Pick<TranscriptView, "live" | "blocks">,
  clock: Clock,
): Observable<LiveLine | null> {
  const shown = new Signal(live.get());
  const timer = new Timer(clock);
  function show(): void {
    if (live.get() === shown.get()) return;
    shown.set(live.get());
    timer.start(paceMs, show);
  }
  function handleWord(): void {
    const isSentence = live.get()?.startMs === shown.get()?.startMs;
    if (!isSentence || !timer.isRunning) show();
  }
  return {
    get: shown.get,
    subscribe(listener) {
      const ends = [
        shown.subscribe(listener),
        live.subscribe(handleWord),
        blocks.subscribe(show),
        () => timer.cancel(),
      ];
      show();
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** The timers of `view`: those of a hidden tab are late. */
export const createWindowClock = (view: Window): Clock => ({
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = view.setTimeout(run, delayMs);
    return () => view.clearTimeout(timer);
  },
});
