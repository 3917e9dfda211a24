/** As `AbortSignal.any`. A signal that never ends keeps each result that does not end in memory. */
export function abortWithAny(signals: Iterable<AbortSignal>): AbortSignal {
  const { signal, abort } = createSignal();
  for (const source of signals) {
    if (signal.aborted) break;
    if (source.aborted) abort(source.reason);
    else source.addEventListener("abort", () => abort(source.reason), { once: true, signal });
  }
  return signal;
}

/** As `AbortSignal.timeout`. */
export function abortAfter(ms: number): AbortSignal {
  const { signal, abort } = createSignal();
  setTimeout(() => abort(new DOMException("The time is over.", "TimeoutError")), ms);
  return signal;
}

function createSignal() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}
