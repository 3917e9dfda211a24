import { Signal } from "#client/lib/observable.ts";
import { safeSessionStorage } from "#client/lib/storage.ts";

export type MailLink =
  | { kind: "token"; tokenHash: string; type: string }
  | { kind: "pair"; accessToken: string; refreshToken: string };

const pages: ReadonlySet<string> = new Set(["/email-confirmation", "/verify", "/reset-password"]);

/** The secrets in `address`, and the path without them; null where it carries none. */
export function readMailLink(address: URL): { link: MailLink; cleanPath: string } | null {
  if (!pages.has(address.pathname)) return null;
  const { searchParams } = address;
  const hash = new URLSearchParams(address.hash.slice(1));
  const tokenHash = searchParams.get("token_hash");
  const accessToken = hash.get("access_token") ?? "";
  const refreshToken = hash.get("refresh_token") ?? "";
  const hasPair = accessToken !== "" || refreshToken !== "";
  if (!tokenHash && !hasPair) return null;

  const bare = new URL(address);
  for (const name of ["token_hash", "type"]) bare.searchParams.delete(name);
  if (hasPair) bare.hash = "";
  const link: MailLink = tokenHash
    ? { kind: "token", tokenHash, type: searchParams.get("type") ?? "" }
    : { kind: "pair", accessToken, refreshToken };
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
