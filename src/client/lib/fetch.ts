// The kinds of fetch that the tRPC client uses.

type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };
type Fetch = (input: RequestInfo | URL, init?: Init) => Promise<Response>;

/** A request that the browser completes even when the page is closed. */
export const fetchKeepalive: Fetch = (input, init) => fetchNow(input, { ...init, keepalive: true });

declare global {
  interface Window {
    /** What the server answers to the calls of `public/start.js`, by call; null after a failure. */
    headStart?: Record<string, Promise<{ data: unknown } | null>> | undefined;
  }
}

/** The answer to the document's own call of `procedure`, once. Undefined: it made none. Null: the call has to be made. */
export function takeHeadStart(
  procedure: string,
  input: unknown,
): Promise<{ data: unknown } | null> | undefined {
  const answers = window.headStart;
  const call = `${procedure} ${JSON.stringify(input)}`;
  const answer = answers?.[call];
  delete answers?.[call];
  // It may become outdated while it is waited for.
  return answer?.then((result) => (window.headStart === answers ? result : null));
}

/** Like `fetch`. A POST may change the session and the lecture: what the document was told is then outdated. */
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
