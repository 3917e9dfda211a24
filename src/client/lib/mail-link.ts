import { signal } from "./signal.ts";

/** What the link of a mail carried. */
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
export const mailLink = signal<MailLink | null>(null);

function take(): void {
  const found = readMailLink(new URL(window.location.href));
  if (!found) return;
  history.replaceState(history.state, "", found.bare);
  mailLink.set(found.link);
}

// At once, before another script or page could be told the address.
take();
window.addEventListener("hashchange", take);
