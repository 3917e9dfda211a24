import { Signal } from "#client/lib/signal.ts";

export type MailLink =
  | { kind: "token"; tokenHash: string; type: string }
  | { kind: "pair"; accessToken: string; refreshToken: string };

const pages: ReadonlySet<string> = new Set(["/email-confirmation", "/verify", "/reset-password"]);

/** The secrets in `address`, and the address without them; null where it carries none. */
export function readMailLink(address: URL): { link: MailLink; bare: string } | null {
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
    return { link: { kind: "token", tokenHash, type }, bare: path };
  }
  if (!accessToken && !refreshToken) return null;
  const pair = { accessToken: accessToken ?? "", refreshToken: refreshToken ?? "" };
  return { link: { kind: "pair", ...pair }, bare: path };
}

/** The link that this page was opened with. It stands in the address no longer. */
export const mailLink = new Signal<MailLink | null>(null);

const key = "mailLink";

/** Keeps the address of a link without a verdict in this tab: the page's own no longer has it at a reload. */
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

/** Forgets the link that would be tried after a reload: the server has answered what it is worth. */
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
  history.replaceState(history.state, "", found.bare);
  storeAddress(href);
  mailLink.set(found.link);
}

// At once, before another script or page could be told the address.
takeLinkFromAddress();
if (mailLink.get() === null) mailLink.set(readStoredLink(window.location.pathname));
window.addEventListener("hashchange", takeLinkFromAddress);
