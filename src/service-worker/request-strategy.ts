/**
 * Where the service worker gets an answer; index.ts gives it. Where something is stored, a network that needs 4 s, or
 * answers 5xx, counts as one that failed.
 * `network`: not handled. `page`: from the network, or the stored document when that fails.
 * `fixed`: from the cache, as its name changes with its content. `file`: from the network, or from the
 * cache when that fails.
 */
export type Strategy = "network" | "page" | "fixed" | "file";

interface FetchedRequest {
  method: string;
  url: string;
  /** `navigate` for a document. */
  mode: string;
}

/** The server's API, and the files that reveal a new deployment. */
const uncachedPaths = [/^\/(api|trpc|mcp)(\/|$)/, /^\/(sw\.js|version\.txt)$/];

/**
 * Pages opened by links whose address holds a secret: from mails, and of shared lectures, which have a document of
 * their own. They are useless without the server, and served with their own headers.
 */
const linkPages = /^\/(reset-password|email-confirmation|verify|live(\/.*)?)$/;

/** @param stored paths of the files that this worker keeps. */
export function getStrategy(
  { method, url, mode }: FetchedRequest,
  origin: string,
  stored: ReadonlySet<string>,
): Strategy {
  const { origin: requestOrigin, pathname } = new URL(url);
  if (method !== "GET" || requestOrigin !== origin) return "network";
  if (uncachedPaths.some((paths) => paths.test(pathname))) return "network";
  if (mode === "navigate") return linkPages.test(pathname) ? "network" : "page";
  if (pathname.startsWith("/assets/")) return "fixed";
  return stored.has(pathname) ? "file" : "network";
}
