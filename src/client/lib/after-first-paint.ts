let tell: () => void = () => {};

/** Resolves once the first page is on the screen. What only follows it makes nobody wait for it. */
export const firstPaint = new Promise<void>((resolve) => {
  tell = resolve;
});

/** The first page is in the document. */
export function markFirstPaint(): void {
  requestAnimationFrame(() => setTimeout(tell));
}

/** `load`, but not before the first page is there. */
export const afterFirstPaint =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    firstPaint.then(load);
