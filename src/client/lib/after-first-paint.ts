const largestPaint = "largest-contentful-paint";

let resolveFirstPaint: () => void = () => {};

/** Resolves after the first paint. Code that waits for it does not delay the page. */
export const firstPaint = new Promise<void>((resolve) => {
  resolveFirstPaint = resolve;
});

let hasFirstPage = false;
/** Whether the first page is in the document. */
export const isFirstPageShown = () => hasFirstPage;
/** Placeholders in the document whose contents are still loaded. */
let placeholders = 0;

/** To be called once the first page is in the document. */
export function reportFirstPage(): void {
  hasFirstPage = true;
  // It was the document's own copy of the page until now, which does nothing.
  document.getElementById("root")?.removeAttribute("inert");
  requestAnimationFrame(() => {
    if (placeholders === 0) void waitForPaint().then(resolveFirstPaint);
  });
}

/**
 * Resolves when what this animation frame shows is on the screen, which may be some frames later: the browser reports
 * the paint of a page's largest element. Without such a report, or for a smaller element: after 200 ms.
 */
function waitForPaint(): Promise<void> {
  const begin = performance.now();
  return new Promise((resolve) => {
    setTimeout(resolve, 200);
    if (!PerformanceObserver.supportedEntryTypes.includes(largestPaint)) return;
    const observer = new PerformanceObserver((paints) => {
      if (!paints.getEntries().some(({ startTime }) => startTime >= begin)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: largestPaint });
  });
}

/** An effect for a placeholder of a page's contents: the first paint is that of the contents. */
export function delayFirstPaint(): () => void {
  placeholders += 1;
  return () => {
    placeholders -= 1;
    if (hasFirstPage) reportFirstPage();
  };
}

const wait = (ms?: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A load that takes longer does not delay the others. */
const loadMaxMs = 2_000;

/** What ends before the next load may begin: two are under way at a time, because many would block input. */
const queues: [Promise<unknown>, Promise<unknown>] = [firstPaint, firstPaint];

/** Delays `load` until the first paint and the loads before it. It begins in a task of its own. */
export const afterFirstPaint =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () => {
    const [before, next] = queues;
    const loaded = before.then(() => wait()).then(load);
    const end = loaded.catch(() => {});
    queues[0] = next;
    queues[1] = before.then(() => Promise.race([end, wait(loadMaxMs)]));
    return loaded;
  };
