let resolveFirstPaint: () => void = () => {};

/** Resolves after the first paint. Code that waits for it does not delay the page. */
export const firstPaint = new Promise<void>((resolve) => {
  resolveFirstPaint = resolve;
});

/** To be called once the first page is in the document. */
export function markFirstPaint(): void {
  requestAnimationFrame(() => setTimeout(resolveFirstPaint));
}

/** Delays `load` until the first paint. */
export const afterFirstPaint =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    firstPaint.then(load);
