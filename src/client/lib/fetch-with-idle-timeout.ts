type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };
type Fetch = (input: RequestInfo | URL, init?: Init) => Promise<Response>;

const fetchNow: Fetch = (input, init) => fetch(input, { ...init, signal: init?.signal ?? null });

/** A fetch that fails after `idleMs` without a byte. (The server sends a space while it has no data.) */
export function createFetchWithIdleTimeout(idleMs: number, run: Fetch = fetchNow): Fetch {
  return async (input, init) => {
    const idle = new AbortController();
    const signals = [idle.signal, ...(init?.signal ? [init.signal] : [])];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(new Error("The answer fell silent.")), idleMs);
    };
    restartTimer();
    try {
      const response = await run(input, { ...init, signal: AbortSignal.any(signals) });
      if (!response.body) return response;
      restartTimer();
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            if (done) {
              clearTimeout(timer);
              controller.close();
              return;
            }
            restartTimer();
            controller.enqueue(value);
          } catch (error) {
            clearTimeout(timer);
            controller.error(error);
          }
        },
        cancel(reason) {
          clearTimeout(timer);
          return reader.cancel(reason);
        },
      });
      return new Response(body, response);
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}
