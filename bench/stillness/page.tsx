import { createRoot } from "react-dom/client";
import { openLecture } from "#bench/transcript/session.ts";
import { createBatches, msPerBatch } from "#bench/transcript/speech.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { Clock } from "#client/lib/clock.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { ReadingSurface } from "#client/reading/reading-surface.tsx";
import {
  createTranslator,
  getVoice,
  type StillnessLanguage,
  stillnessPairs,
} from "./translations.ts";

export interface Stillness {
  rows: number;
  /** Rows whose height changed after they were finished. */
  grownRows: number;
  /** Frames in which a finished row was elsewhere within the text, or had another height, than before. */
  shifts: number;
  /** The largest of these changes, px. */
  largestPx: number;
  /** Page turns: times at which the page scrolled, glides counted once. Their lengths, px, in order of time. */
  turns: number[];
  /** The highest speed of a turn, px/s. */
  peakSpeed: number;
  /** How often the live line's second text was moved by the one above it, in the sentence in which that happened most. */
  pushesMax: number;
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

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Waits until nothing more happens in this frame: a frame's callbacks run before its layout. */
async function afterFrame(): Promise<void> {
  await nextFrame();
  await new Promise((resolve) => setTimeout(resolve));
}

/** Frames without movement after which a glide has ended. */
const stillFrames = 3;
/** A speed is measured over this long at least: positions are whole px, and a busy machine delays frames. */
const speedMs = 45;

interface Sample {
  top: number;
  /** As of `performance.now`. */
  at: number;
}

/** Waits until `page`, which stood still at `before`, does so again. Returns its highest speed, px/s. */
async function followGlide(page: Element, before: Sample, compare: () => void): Promise<number> {
  let peakSpeed = 0;
  const samples = [before];
  for (let still = 0; still < stillFrames; ) {
    const at = await nextFrame();
    const top = page.scrollTop;
    still = top === samples.at(-1)?.top ? still + 1 : 0;
    samples.push({ top, at });
    const earlier = samples.findLast((sample) => at - sample.at >= speedMs);
    if (earlier)
      peakSpeed = Math.max(peakSpeed, (Math.abs(top - earlier.top) * 1_000) / (at - earlier.at));
    await new Promise((resolve) => setTimeout(resolve));
    compare();
  }
  return peakSpeed;
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

/**
 * Compares the live line's second text with the frame before: where it begins below the line's beginning. Its row comes
 * with the sentence's end, so the line itself is watched.
 */
function watchLiveLine(content: Element) {
  let last: { sentence: number; top: number } | null = null;
  let pushes = 0;
  const result = { pushesMax: 0 };
  return {
    result,
    compare() {
      const line = content.querySelector("[data-live-line]");
      // After the time and the first text.
      const text = line?.firstElementChild?.children[2];
      if (!line || !text) {
        last = null;
        return;
      }
      const sentence = content.querySelectorAll("[data-row]").length;
      const top = text.getBoundingClientRect().top - line.getBoundingClientRect().top;
      if (last?.sentence !== sentence) pushes = 0;
      else if (Math.abs(top - last.top) > 0.5) pushes += 1;
      last = { sentence, top };
      result.pushesMax = Math.max(result.pushesMax, pushes);
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
    const [sourceLanguage, targetLanguage] = stillnessPairs[language];
    let cls = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) cls += Number(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
    const opening = openLecture(0, { sourceLanguage, targetLanguage, translate, clock });
    const ticking = setInterval(() => clock.step(10));
    const { session, deliver } = await opening;
    clearInterval(ticking);
    createRoot(container).render(
      <ReadingSurface
        lecture={session.lecture.get()}
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
    const liveLine = watchLiveLine(content);
    const speech = createBatches(0, wordCounts, getVoice(language));
    const turns: number[] = [];
    let peakSpeed = 0;
    for (let ms = 0; ms < minutes * 60_000; ms += msPerBatch * batchesPerFrame) {
      for (let count = 0; count < batchesPerFrame; count += 1) {
        clock.step(msPerBatch);
        const batch = speech.next();
        if (!batch.done) deliver(JSON.stringify(batch.value));
      }
      const before = { top: page.scrollTop, at: performance.now() };
      const { height } = content.getBoundingClientRect();
      await afterFrame();
      watch.compare();
      liveLine.compare();
      const hasGrown = content.getBoundingClientRect().height !== height;
      if (!hasGrown && page.scrollTop === before.top) continue;
      // The clock stands still while the page glides, which it may begin some frames after its text has grown.
      const speed = await followGlide(page, before, watch.compare);
      if (page.scrollTop === before.top) continue;
      turns.push(Math.abs(page.scrollTop - before.top));
      peakSpeed = Math.max(peakSpeed, speed);
    }
    const { result, grownRows, rows } = watch;
    return {
      ...result,
      ...liveLine.result,
      rows: rows(),
      grownRows: grownRows.size,
      turns,
      peakSpeed,
      cls,
    };
  },
};
document.body.dataset.ready = "yes";
