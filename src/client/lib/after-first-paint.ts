let resolveFirstPaint: () => void = () => {};

/** Resolves after the first paint. Code that waits for it does not delay the page. */
export const firstPaint = new Promise<void>((resolve) => {
  resolveFirstPaint = resolve;
});

/** The first page is in the document. */
let isMarked = false;
/** Frames in the document whose contents are still loaded. */
let frames = 0;

/** To be called once the first page is in the document. */
export function markFirstPaint(): void {
  isMarked = true;
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (frames === 0) resolveFirstPaint();
    }),
  );
}

/** An effect for a frame that stands for the contents of a page: the first paint is that of the contents. */
export function delayFirstPaint(): () => void {
  frames += 1;
  return () => {
    frames -= 1;
    if (isMarked) markFirstPaint();
  };
}

/** Delays `load` until the first paint. */
export const afterFirstPaint =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    firstPaint.then(load);
