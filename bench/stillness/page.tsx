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
  /** Finished texts that were not shown whole. */
  cutTexts: number;
  /** Frames in which something in the window was lower than before, and by how much at most, px. */
  falls: number;
  largestFallPx: number;
  /** How far the lower edge of the live line was from its place at most, px. */
  edgePx: number;
  /** Times at which the text moved up, moves that follow each other at once counted as one. Their lengths, px, in order of time. */
  moves: number[];
  /** How far the row that is read was moved at most while the page was scrolled back, px. */
  readPx: number;
  /** Rows that became higher after they were finished while the page was scrolled back. */
  grownRows: number;
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

/** The last part of the time the page is scrolled back. */
const backPart = 0.2;

/** How far the beginning of the text is above the window, px: what was moved up so far. */
const getEndPx = (page: Element): number =>
  -(page.querySelector("[data-row], [data-live-line]")?.getBoundingClientRect().top ?? 0);

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Something was changed behind the layout of a frame: it is not painted, and the page has not answered it yet. */
let hasChanged = false;
new MutationObserver(() => {
  hasChanged = true;
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });

/** Waits until nothing more happens in a frame: a frame's callbacks run before its layout. */
async function afterFrame(): Promise<void> {
  do {
    await nextFrame();
    hasChanged = false;
    await new Promise((resolve) => setTimeout(resolve));
  } while (hasChanged);
}

/** Frames without movement after which a move has ended. */
const stillFrames = 3;
/** Positions are rounded. */
const roundingPx = 1;
/** Of a line that a text gets or loses. */
const linePx = 30;
/** What a person scrolls back, px. */
const backPx = 300;

const getRow = (row: HTMLElement): string => row.dataset.row ?? "";

/** Finished rows, and the live line. */
const listParts = (page: Element) => [
  ...page.querySelectorAll<HTMLElement>("[data-row], [data-live-line]"),
];

const isCut = (element: Element): boolean =>
  element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;

/** Compares where things are in the window, as they are drawn, with the frame before. */
function watchWindow(page: HTMLElement) {
  const cut = new Set<string>();
  const result = { falls: 0, largestFallPx: 0, edgePx: 0 };
  let before = new Map<Element, number>();
  let edge: number | null = null;
  return {
    result,
    cut,
    /** Returns whether something has moved. */
    compare(): boolean {
      const box = page.getBoundingClientRect();
      const now = new Map<Element, number>();
      let hasMoved = false;
      let fallPx = 0;
      for (const part of listParts(page)) {
        const { top, bottom } = part.getBoundingClientRect();
        if (bottom < box.top || top > box.bottom) continue;
        now.set(part, top);
        const last = before.get(part) ?? top;
        hasMoved ||= Math.abs(top - last) > roundingPx;
        fallPx = Math.max(fallPx, top - last);
        if (part.dataset.row !== undefined)
          for (const text of part.querySelectorAll("p")) if (isCut(text)) cut.add(getRow(part));
      }
      before = now;
      if (fallPx > roundingPx) {
        result.falls += 1;
        result.largestFallPx = Math.max(result.largestFallPx, fallPx);
      }
      return hasMoved;
    },
    /** The end of the text, at rest. */
    compareEdge(): void {
      const line = page.querySelector("[data-live-line]") ?? listParts(page).at(-1);
      if (!line) return;
      const { bottom } = line.getBoundingClientRect();
      edge ??= bottom;
      result.edgePx = Math.max(result.edgePx, Math.abs(bottom - edge));
    },
  };
}

/** Waits until nothing moves. */
async function waitForRest(compare: () => boolean): Promise<void> {
  for (let still = 0; still < stillFrames; ) {
    await afterFrame();
    still = compare() ? 0 : still + 1;
  }
}

/** A line goes from one row to the one above it in one frame, so that the text stays as high as it was. */
async function moveLine(page: HTMLElement, compare: () => boolean): Promise<void> {
  const [above, below] = [...page.querySelectorAll<HTMLElement>("[data-row]")].slice(-2);
  if (!above || !below) throw new Error("there are no two rows");
  below.style.minHeight = `${below.getBoundingClientRect().height + linePx}px`;
  await waitForRest(compare);
  above.style.minHeight = `${above.getBoundingClientRect().height + linePx}px`;
  below.style.minHeight = "";
  await waitForRest(compare);
}

/** Watches the row that is read while the page is scrolled back, and the heights of those above it. */
function watchReading(page: HTMLElement) {
  const box = page.getBoundingClientRect();
  const rows = [...page.querySelectorAll<HTMLElement>("[data-row]")];
  const read = rows.find((row) => row.getBoundingClientRect().top >= box.top + 60);
  if (!read) throw new Error("no row is read");
  const { top } = read.getBoundingClientRect();
  const heights = new Map(rows.map((row) => [row, row.offsetHeight]));
  const grown = new Set<string>();
  const result = { readPx: 0 };
  return {
    result,
    grown,
    compare() {
      result.readPx = Math.max(result.readPx, Math.abs(read.getBoundingClientRect().top - top));
      for (const [row, height] of heights) if (row.offsetHeight > height) grown.add(getRow(row));
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
    if (!page) throw new Error("there is no page");
    const speech = createBatches(0, wordCounts, getVoice(language));
    const say = () => {
      for (let count = 0; count < batchesPerFrame; count += 1) {
        clock.step(msPerBatch);
        const batch = speech.next();
        if (!batch.done) deliver(JSON.stringify(batch.value));
      }
    };
    const stepMs = msPerBatch * batchesPerFrame;
    const watch = watchWindow(page);
    const moves: number[] = [];
    const followedMs = minutes * 60_000 * (1 - backPart);
    for (let ms = 0; ms < followedMs; ms += stepMs) {
      const before = getEndPx(page);
      say();
      await afterFrame();
      // The clock stands still while the text moves.
      if (!watch.compare() && getEndPx(page) === before) continue;
      await waitForRest(watch.compare);
      watch.compareEdge();
      const movedPx = getEndPx(page) - before;
      if (movedPx > roundingPx) moves.push(movedPx);
    }
    await moveLine(page, watch.compare);
    const endPx = getEndPx(page);
    page.dispatchEvent(new WheelEvent("wheel", { deltaY: -backPx }));
    page.scrollTop -= backPx;
    await afterFrame();
    await afterFrame();
    if (getEndPx(page) >= endPx - roundingPx)
      throw new Error("the page could not be scrolled back");
    const reading = watchReading(page);
    for (let ms = followedMs; ms < minutes * 60_000; ms += stepMs) {
      say();
      await afterFrame();
      reading.compare();
    }
    return {
      ...watch.result,
      ...reading.result,
      rows: page.querySelectorAll("[data-row]").length,
      cutTexts: watch.cut.size,
      moves,
      grownRows: reading.grown.size,
    };
  },
};
document.body.dataset.ready = "yes";
