/**
 * Long work as a generator that yields after each part of bounded length. It is finished at once, or in slices between
 * which other work runs: steps are counted, because a worker's clock stands still while it computes.
 */
export type SlicedWork<T> = Generator<void, T>;

/** Looked-up entries of maps, and the like, of one slice: 1 to 2 ms. */
export const sliceSteps = 4_000;

export function finish<T>(work: SlicedWork<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Lets events that have come meanwhile be handled. */
const letOthersRun = () => new Promise<void>((resolve) => void setTimeout(resolve, 0));

export async function finishInSlices<T>(work: SlicedWork<T>, pause = letOthersRun): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await pause();
  }
}
