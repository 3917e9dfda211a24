import { createRoot } from "react-dom/client";
import { openLecture } from "#bench/transcript/session.ts";
import { createBatches, msPerBatch } from "#bench/transcript/speech.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { Clock } from "#client/lib/clock.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { ReadingSurface } from "#client/reading/reading-surface.tsx";
import { createTranslator, type StillnessLanguage } from "./translations.ts";

export interface Stillness {
  rows: number;
  /** Rows whose height changed after they were finished. */
  grownRows: number;
  /** Frames in which a finished row was elsewhere within the text, or had another height, than before. */
  shifts: number;
  /** The largest of these changes, px. */
  largestPx: number;
  /** Times at which the page scrolled, glides counted once. */
  moves: number;
  cls: number;
}

declare global {
  interface Window {
    stillness: {
      /** Reads `minutes` of a lecture aloud on a clock of its own, one step a frame, and watches the rows. */
      run(language: StillnessLanguage, minutes: number): Promise<Stillness>;
    };
  }
}

/** Sentences of a lecture, in words. */
const wordCounts = [12, 5, 23, 14, 3, 18, 9, 31, 11];

/** A word a frame. */
const batchesPerFrame = 2;

class SteppedClock implements Clock {
  #now = Date.UTC(2026, 10, 22, 9);
  readonly #timers = new Set<{ at: number; run: () => void }>();
  now = () => this.#now;
  after = (delayMs: number, run: () => void) => {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };
  step(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.delete(timer)) timer.run();
  }
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Waits until nothing more happens in this frame: a frame's callbacks run before its layout. */
async function afterFrame(): Promise<void> {
  await nextFrame();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Compares each finished row with the frame before. */
function watchRows(content: Element) {
  const before = new Map<string, { top: number; height: number }>();
  const grownRows = new Set<string>();
  const result = { shifts: 0, largestPx: 0 };
  return {
    result,
    grownRows,
    rows: () => before.size,
    compare() {
      const start = content.getBoundingClientRect().top;
      for (const row of content.querySelectorAll<HTMLElement>("[data-row]")) {
        const { top, height } = row.getBoundingClientRect();
        const now = { top: top - start, height };
        const key = row.dataset.row ?? "";
        const last = before.get(key) ?? now;
        before.set(key, now);
        const moved = Math.max(Math.abs(now.top - last.top), Math.abs(now.height - last.height));
        if (Math.abs(now.height - last.height) > 0.5) grownRows.add(key);
        if (moved <= 0.5) continue;
        result.shifts += 1;
        result.largestPx = Math.max(result.largestPx, moved);
      }
    },
  };
}

const container = document.getElementById("root");
if (container === null) throw new Error("index.html has no #root");
await readingDialogMessages.load();
await showLanguage("en");

window.stillness = {
  async run(language, minutes) {
    const clock = new SteppedClock();
    const translate = createTranslator(language, clock);
    let cls = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) cls += Number(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
    const opening = openLecture(0, { targetLanguage: language, translate, clock });
    const ticking = setInterval(() => clock.step(10));
    const { session, deliver } = await opening;
    clearInterval(ticking);
    createRoot(container).render(
      <ReadingSurface
        lecture={session}
        empty={() => <p>…</p>}
        summary={null}
        expanded={null}
        onExpand={() => {}}
      />,
    );
    while (document.querySelector("section") === null) await nextFrame();
    const page = document.querySelector("section");
    const content = page?.firstElementChild;
    if (!page || !content) throw new Error("the page has no text");
    const watch = watchRows(content);
    const speech = createBatches(0, wordCounts);
    let moves = 0;
    for (let ms = 0; ms < minutes * 60_000; ms += msPerBatch * batchesPerFrame) {
      for (let count = 0; count < batchesPerFrame; count += 1) {
        clock.step(msPerBatch);
        const batch = speech.next();
        if (!batch.done) deliver(JSON.stringify(batch.value));
      }
      let top = page.scrollTop;
      await afterFrame();
      watch.compare();
      if (page.scrollTop === top) continue;
      moves += 1;
      // The clock stands still while the page glides.
      while (page.scrollTop !== top) {
        top = page.scrollTop;
        for (let frame = 0; frame < 3; frame += 1) {
          await afterFrame();
          watch.compare();
        }
      }
    }
    const { result, grownRows, rows } = watch;
    return { ...result, rows: rows(), grownRows: grownRows.size, moves, cls };
  },
};
document.body.dataset.ready = "yes";
