let tell: () => void = () => {};

/** Resolves once the first page is on the screen. What only follows it makes nobody wait for it. */
export const painted = new Promise<void>((resolve) => {
  tell = resolve;
});

/** The first page is in the document. */
export function pageShown(): void {
  requestAnimationFrame(() => setTimeout(tell));
}

/** `load`, but not before the first page is there. */
export const afterPage =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    painted.then(load);
