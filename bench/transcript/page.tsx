import { createRoot, type Root } from "react-dom/client";
import { openCaptionWindow } from "#client/features/recording/captions/caption-window.ts";
import { showCaptions } from "#client/features/recording/captions/captions.tsx";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { ReadingSurface } from "#client/reading/reading-surface.tsx";
import { PlainList } from "./plain-list.tsx";
import { openLecture } from "./session.ts";
import { createBatches } from "./speech.ts";

/** `captions`: ours, with the window of captions open. */
export type Variant = "ours" | "captions" | "plain";

/** The page's frames while batches arrived. */
export interface Frames {
  /** For each batch: from its delivery until the page's frame with it is painted, ms. */
  shownMs: number[];
  /** Sentences that have ended. */
  sentences: number;
  /** Frames that took 50 ms or more. */
  long: number;
  /** The longest of them, ms; 0 without any. */
  longestMs: number;
}

declare global {
  interface Window {
    /** Chromium's. */
    scheduler: { postTask(run: () => void, options: { priority: "user-blocking" }): Promise<void> };
    transcript: {
      /** Shows `rows` sentences and waits for batches. */
      open(variant: Variant, rows: number): Promise<void>;
      /** Delivers `count` token batches, one every `everyMs`; resolves after the frame of the last one. */
      run(count: number, everyMs: number): Promise<Frames>;
      /** Number of rows in the page. */
      rows(): number;
    };
  }
}

/** Of a screen, ms. */
const frameMs = 1_000 / 60;
/** Its multiples are spread evenly between whole numbers. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

let root: Root | null = null;
let deliver: (message: string) => void = () => {};
let speech = createBatches(0);
let closeCaptions: (() => void) | null = null;

const container = document.getElementById("root");
if (container === null) throw new Error("index.html has no #root");
await Promise.all([readingDialogMessages.load(), dialogMessages.load()]);
await showLanguage("en");

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Resolves once the page's next frame is painted: in a task that comes before all that wait. */
async function nextPaint(): Promise<void> {
  await nextFrame();
  await window.scheduler.postTask(() => {}, { priority: "user-blocking" });
}

window.transcript = {
  async open(variant, rows) {
    closeCaptions?.();
    closeCaptions = null;
    root?.unmount();
    root = createRoot(container);
    speech = createBatches(rows);
    if (variant === "plain") {
      const view = root;
      deliver = await new Promise((resolve) => {
        view.render(<PlainList rows={rows} onReady={resolve} />);
      });
    } else {
      const lecture = await openLecture(rows);
      deliver = lecture.deliver;
      root.render(
        <ReadingSurface
          lecture={lecture.session.lecture.get()}
          empty={() => null}
          summary={null}
          expanded={null}
          onExpand={() => {}}
        />,
      );
      // The code of the rows is loaded lazily.
      while (rows > 0 && document.querySelector("[data-row]") === null) await nextFrame();
      if (variant === "captions") {
        const shown = await openCaptionWindow();
        if (shown === null) throw new Error("the browser opens no window");
        showCaptions(lecture.session, shown, () => {});
        closeCaptions = () => shown.close();
      }
    }
    for (let frame = 0; frame < 5; frame += 1) await nextFrame();
  },

  async run(count, everyMs) {
    const frames: Frames = { shownMs: [], sentences: 0, long: 0, longestMs: 0 };
    const addFrames = (entries: PerformanceEntryList) => {
      for (const { duration } of entries) {
        frames.long += 1;
        frames.longestMs = Math.max(frames.longestMs, duration);
      }
    };
    const observer = new PerformanceObserver((list) => addFrames(list.getEntries()));
    observer.observe({ type: "long-animation-frame" });
    await new Promise<void>((resolve) => {
      let delivered = 0;
      const start = performance.now();
      const wait = () => {
        // A fixed period would meet the screen's frames at the same moment each time.
        const due = start + (delivered + 1) * everyMs + ((delivered * goldenRatio) % 1) * frameMs;
        setTimeout(deliverNext, due - performance.now());
      };
      const deliverNext = () => {
        const batch = speech.next();
        if (!batch.done) {
          const deliveredAt = performance.now();
          if (batch.value.endpoint) frames.sentences += 1;
          deliver(JSON.stringify(batch.value));
          void nextPaint().then(() => frames.shownMs.push(performance.now() - deliveredAt));
        }
        delivered += 1;
        if (delivered < count) wait();
        else resolve();
      };
      wait();
    });
    await nextPaint();
    await nextPaint();
    addFrames(observer.takeRecords());
    observer.disconnect();
    return frames;
  },

  rows: () => document.querySelectorAll('p[lang="en"]').length,
};
document.body.dataset.ready = "yes";
