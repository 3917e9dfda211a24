/** Top-level names that no resolver of the internet knows, or that lead to a machine's own network. */
const privateSuffixes = new Set([
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "svc",
  "cluster",
  "consul",
  "docker",
  "arpa",
  "alt",
  "test",
  "example",
  "invalid",
  "onion",
]);

const label = /^[a-z0-9_-]+$/;

/** HTTPS, and what servers of applications usually listen on. */
const isAllowedPort = (port: string): boolean =>
  port === "" || port === "80" || (Number(port) >= 8_000 && Number(port) <= 9_999);

/**
 * Whether `url` may be a webhook's: https to a public name, without a user in it, and not the site itself. Addresses by
 * numbers are refused, public ones as well: no certificate of a usual authority names them. Where the name leads,
 * `WebhookSender` finds out.
 *
 * @param siteOrigin null where it is not known
 */
export function isWebhookUrl(url: string, siteOrigin: string | null): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "https:" || parsed.username !== "" || parsed.password !== "")
    return false;
  const host = parsed.hostname.replace(/\.$/, "");
  const names = host.split(".");
  const suffix = names.at(-1) ?? "";
  // `URL` has written each notation of an IPv4 address as four numbers.
  const isName =
    names.length > 1 && names.every((name) => label.test(name)) && /^[a-z]/.test(suffix);
  if (!isName || privateSuffixes.has(suffix) || !isAllowedPort(parsed.port)) return false;
  return siteOrigin === null || host !== URL.parse(siteOrigin)?.hostname;
}
