declare global {
  interface Window {
    /** What the document has asked the server, by address; null where no answer came (`public/start.js`). */
    headStart?: Map<string, Promise<Response | null>>;
  }
}

type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };

/** `fetch`, but takes each answer that the document has asked for already once, until something changes. */
export async function fetchWithHeadStart(
  address: RequestInfo | URL,
  init: Init = {},
): Promise<Response> {
  const { signal = null } = init;
  if (init.method === "POST") window.headStart?.clear();
  return (await takeHeadStart(String(address))) ?? fetch(address, { ...init, signal });
}

function takeHeadStart(address: string): Promise<Response | null> | undefined {
  const answer = window.headStart?.get(address);
  window.headStart?.delete(address);
  return answer;
}
