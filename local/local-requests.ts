import type { IncomingMessage } from "node:http";

/** Hosts that a browser finds on its own machine, whatever a name server answers. */
export const loopbackHosts = ["127.0.0.1", "localhost", "[::1]"] as const;

/**
 * Whether the embedded stack answers a request. It serves who has access to this machine anyway, and
 * not the pages of other sites that run in a browser here:
 *
 * - The Host must be a loopback one, with any port (it may be forwarded). A site that lets its own name
 *   point here (DNS rebinding) still sends that name.
 * - What a browser sends must come from a page of the same origin, or open a page in a tab: links lead
 *   to the outbox and to the pages of payments.
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
