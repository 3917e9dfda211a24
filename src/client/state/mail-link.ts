import { Signal } from "#client/lib/observable.ts";
import { safeSessionStorage } from "#client/lib/storage.ts";

export type MailLink =
  | { kind: "token"; tokenHash: string; type: string }
  | { kind: "pair"; accessToken: string; refreshToken: string }
  /** What the link led to first has refused it, and says why. */
  | { kind: "refused"; message: string };

const pages: ReadonlySet<string> = new Set(["/email-confirmation", "/verify", "/reset-password"]);

/** In the order in which they name the reason. */
const errorNames = ["error_description", "error_code", "error"];

/** The secrets in `address`, or why there are none, and the path without them; null where it carries neither. */
export function readMailLink(address: URL): { link: MailLink; cleanPath: string } | null {
  if (!pages.has(address.pathname)) return null;
  const { searchParams } = address;
  const hash = new URLSearchParams(address.hash.slice(1));
  const tokenHash = searchParams.get("token_hash");
  const accessToken = hash.get("access_token") ?? "";
  const refreshToken = hash.get("refresh_token") ?? "";
  const hasPair = accessToken !== "" || refreshToken !== "";
  const message = [hash, searchParams]
    .flatMap((values) => errorNames.map((name) => values.get(name) ?? ""))
    .join(" ")
    .trim();
  if (!tokenHash && !hasPair && message === "") return null;

  const bare = new URL(address);
  for (const name of ["token_hash", "type", ...errorNames]) bare.searchParams.delete(name);
  if (hasPair || errorNames.some((name) => hash.has(name))) bare.hash = "";
  let link: MailLink = { kind: "refused", message };
  if (tokenHash) link = { kind: "token", tokenHash, type: searchParams.get("type") ?? "" };
  else if (hasPair) link = { kind: "pair", accessToken, refreshToken };
  return { link, cleanPath: bare.pathname + bare.search + bare.hash };
}

/** The link that this page was opened with. Its secrets are already removed from the address. */
export const mailLink = new Signal<MailLink | null>(null);

const key = "mailLink";

function readStoredLink(path: string): MailLink | null {
  const stored = safeSessionStorage.get(key);
  if (stored === null || !URL.canParse(stored)) return null;
  const address = new URL(stored);
  return address.pathname === path ? (readMailLink(address)?.link ?? null) : null;
}

/** Deletes the link that a reload would try: the server has accepted or rejected it. */
export const forgetStoredLink = (): void => safeSessionStorage.remove(key);

function takeLinkFromAddress(): void {
  const { href } = window.location;
  const found = readMailLink(new URL(href));
  if (!found) return;
  history.replaceState(history.state, "", found.cleanPath);
  // Kept for a reload of this tab: the page's own address has lost it.
  safeSessionStorage.set(key, href);
  mailLink.set(found.link);
}

// Immediately, before another script can read the secrets.
takeLinkFromAddress();
if (mailLink.get() === null) mailLink.set(readStoredLink(window.location.pathname));
window.addEventListener("hashchange", takeLinkFromAddress);
