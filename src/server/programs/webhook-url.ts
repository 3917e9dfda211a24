/** Names that no resolver of the internet knows, or that lead to a machine's own network. */
const privateName =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|arpa|test|invalid|onion)$/;

/**
 * Whether `url` may be a webhook's: https to a public name, without a user in it, and not the site itself. Addresses by
 * numbers are refused, public ones as well: no certificate of a usual authority names them.
 *
 * A name may still lead to a private address. Workers send their requests through Cloudflare's network, which leads to no
 * private one.
 */
export function isWebhookUrl(url: string, siteOrigin: string): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "https:" || parsed.username !== "" || parsed.password !== "")
    return false;
  const host = parsed.hostname.replace(/\.$/, "");
  const isNumber = host.startsWith("[") || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
  if (isNumber || !host.includes(".") || privateName.test(host)) return false;
  return host !== URL.parse(siteOrigin)?.hostname;
}
