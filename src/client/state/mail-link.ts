import { Signal } from "#client/lib/signal.ts";

export type MailLink =
  | { kind: "token"; tokenHash: string; type: string }
  | { kind: "pair"; accessToken: string; refreshToken: string };

const pages: ReadonlySet<string> = new Set(["/email-confirmation", "/verify", "/reset-password"]);

/** The secrets in `address`, and the path without them; null where it carries none. */
export function readMailLink(address: URL): { link: MailLink; cleanPath: string } | null {
  if (!pages.has(address.pathname)) return null;
  const bare = new URL(address);
  for (const name of ["token_hash", "type"]) bare.searchParams.delete(name);
  const hash = new URLSearchParams(address.hash.slice(1));
  const accessToken = hash.get("access_token");
  const refreshToken = hash.get("refresh_token");
  if (accessToken || refreshToken) bare.hash = "";
  const path = bare.pathname + bare.search + bare.hash;

  const tokenHash = address.searchParams.get("token_hash");
  if (tokenHash) {
    const type = address.searchParams.get("type") ?? "";
    return { link: { kind: "token", tokenHash, type }, cleanPath: path };
  }
  if (!accessToken && !refreshToken) return null;
  const pair = { accessToken: accessToken ?? "", refreshToken: refreshToken ?? "" };
  return { link: { kind: "pair", ...pair }, cleanPath: path };
}

/** The link that this page was opened with. Its secrets are already removed from the address. */
export const mailLink = new Signal<MailLink | null>(null);

const key = "mailLink";

/** Keeps the address of an unverified link for a reload of this tab: the page's own address has lost it. */
function storeAddress(address: string): void {
  try {
    sessionStorage.setItem(key, address);
  } catch {
    // After a reload the link in the mail has to be opened again.
  }
}

function readStoredLink(path: string): MailLink | null {
  try {
    const address = new URL(sessionStorage.getItem(key) ?? "", window.location.origin);
    return address.pathname === path ? (readMailLink(address)?.link ?? null) : null;
  } catch {
    return null;
  }
}

/** Deletes the link that a reload would try: the server has accepted or rejected it. */
export function forgetStoredLink(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}

function takeLinkFromAddress(): void {
  const found = readMailLink(new URL(window.location.href));
  if (!found) return;
  const { href } = window.location;
  history.replaceState(history.state, "", found.cleanPath);
  storeAddress(href);
  mailLink.set(found.link);
}

// Immediately, before another script can read the secrets.
takeLinkFromAddress();
if (mailLink.get() === null) mailLink.set(readStoredLink(window.location.pathname));
window.addEventListener("hashchange", takeLinkFromAddress);
