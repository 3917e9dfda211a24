// The kinds of fetch that the tRPC client uses.

type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };
type Fetch = (input: RequestInfo | URL, init?: Init) => Promise<Response>;

/** A request that the browser completes even when the page is closed. */
export const fetchKeepalive: Fetch = (input, init) => fetchNow(input, { ...init, keepalive: true });

declare global {
  interface Window {
    /** What the server answered to `public/start.js`, before this script ran; null after a failure. */
    headStart?: Promise<unknown> | undefined;
  }
}

/** The answer to the document's own call `auth.session`, once; null where there is none. */
export async function takeHeadStart(): Promise<unknown> {
  const answer = window.headStart;
  window.headStart = undefined;
  return (await answer) ?? null;
}

/** Like `fetch`. A POST may change the session: what the document was told of it is then outdated. */
export const fetchNow: Fetch = (input, { signal = null, ...init } = {}) => {
  if (init.method === "POST") window.headStart = undefined;
  return fetch(input, { ...init, signal });
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
