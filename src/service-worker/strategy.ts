/**
 * How the service worker answers a request.
 * `network`: not its business. `page`: from the network, and the stored shell where that fails.
 * `fixed`: from the store; its name changes with its content. `file`: from the network, and from the
 * store where that fails.
 */
export type Strategy = "network" | "page" | "fixed" | "file";

interface FetchedRequest {
  method: string;
  url: string;
  /** `navigate` for a document. */
  mode: string;
}

/** The server's, and what tells whether a deployment is newer. */
const never = [/^\/(api|trpc)(\/|$)/, /^\/(sw\.js|version\.txt)$/];

/** Opened by a link from a mail: of no use without the server, and sent with headers of its own. */
const links: ReadonlySet<string> = new Set(["/reset-password", "/email-confirmation", "/verify"]);

/** @param stored paths of the files that this worker keeps. */
export function getStrategy(
  { method, url, mode }: FetchedRequest,
  origin: string,
  stored: ReadonlySet<string>,
): Strategy {
  const { origin: asked, pathname } = new URL(url);
  if (method !== "GET" || asked !== origin) return "network";
  if (never.some((paths) => paths.test(pathname))) return "network";
  if (mode === "navigate") return links.has(pathname) ? "network" : "page";
  if (pathname.startsWith("/assets/")) return "fixed";
  return stored.has(pathname) ? "file" : "network";
}
