declare global {
  interface Window {
    /** Responses that `public/start.js` requested before this script ran, by address; null after a failure. */
    headStart?: Map<string, Promise<Response | null>>;
  }
}

type Init = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };

/** Like `fetch`, but uses each head-start response once. A POST may change the data and discards them all. */
export async function fetchWithHeadStart(
  address: RequestInfo | URL,
  init: Init = {},
): Promise<Response> {
  const { signal = null } = init;
  if (init.method === "POST") window.headStart?.clear();
  return (await takeHeadStart(String(address))) ?? fetch(address, { ...init, signal });
}

function takeHeadStart(address: string): Promise<Response | null> | undefined {
  const response = window.headStart?.get(address);
  window.headStart?.delete(address);
  return response;
}
