import type { IncomingMessage } from "node:http";

/** Host names that always resolve to the browser's own machine. */
export const loopbackHosts = ["127.0.0.1", "localhost", "[::1]"] as const;

/**
 * Whether the embedded stack answers a request. It has no authentication: programs on this machine may
 * use it, but pages of other sites that are open in a browser on this machine may not.
 *
 * - The Host must be a loopback name, with any port (it may be forwarded). This stops DNS rebinding: a
 *   site whose name resolves to 127.0.0.1 still sends its own name.
 * - A browser's request must come from a page of the same origin, or open a page in a tab: links lead to
 *   the outbox and to the payment pages.
 */
export function isLocalRequest({
  method,
  headers,
}: Pick<IncomingMessage, "method" | "headers">): boolean {
  if (!isLoopback(headers.host)) return false;
  const site = headers["sec-fetch-site"];
  if (site === undefined)
    return headers.origin === undefined || headers.origin === `http://${headers.host}`;
  if (site === "same-origin" || site === "none") return true;
  const opensPage =
    headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return method === "GET" && opensPage;
}

function isLoopback(host: string | undefined): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && loopbackHosts.some((name) => name === new URL(url).hostname);
}
