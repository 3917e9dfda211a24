// The kinds of fetch that the tRPC client uses.

type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };
type Fetch = (input: RequestInfo | URL, init?: Init) => Promise<Response>;

const fetchNow: Fetch = (input, { signal = null, ...init } = {}) =>
  fetch(input, { ...init, signal });

/** A request that the browser completes even when the page is closed. */
export const fetchKeepalive: Fetch = (input, init) => fetchNow(input, { ...init, keepalive: true });

declare global {
  interface Window {
    /** Responses that `public/start.js` requested before this script ran, by address; null after a failure. */
    headStart?: Map<string, Promise<Response | null>>;
  }
}

/** Like `fetch`, but uses each head-start response once. A POST may change the data and discards them all. */
export const fetchWithHeadStart: Fetch = async (input, init) => {
  if (init?.method === "POST") window.headStart?.clear();
  const address = String(input);
  const response = window.headStart?.get(address);
  window.headStart?.delete(address);
  return (await response) ?? fetchNow(input, init);
};

/** A fetch that fails after `idleMs` without a byte. (The server sends a space while it has no data.) */
export function createFetchWithIdleTimeout(idleMs: number, run: Fetch = fetchNow): Fetch {
  return async (input, init) => {
    const idle = new AbortController();
    const signals = [idle.signal, ...(init?.signal ? [init.signal] : [])];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopTimer = () => clearTimeout(timer);
    const restartTimer = () => {
      stopTimer();
      timer = setTimeout(() => idle.abort(new Error("The answer fell silent.")), idleMs);
    };
    restartTimer();
    try {
      const response = await run(input, { ...init, signal: AbortSignal.any(signals) });
      if (!response.body) return response;
      restartTimer();
      const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          restartTimer();
          controller.enqueue(chunk);
        },
      });
      // A failure reaches the reader of `readable`.
      response.body.pipeTo(writable).then(stopTimer, stopTimer);
      return new Response(readable, response);
    } catch (error) {
      stopTimer();
      throw error;
    }
  };
}
