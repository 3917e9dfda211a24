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

/** The scheme's own port, and what servers of applications usually listen on. */
const isAllowedPort = (port: string): boolean =>
  port === "" || port === "80" || (Number(port) >= 8_000 && Number(port) <= 9_999);

/**
 * Whether the server may send a request to `url`, which a person has chosen: to a public name over http or https, without a
 * user in it, and not to the site itself. Addresses by numbers are refused, public ones as well. Where the name leads,
 * `PublicNames` finds out.
 *
 * @param siteOrigin null where it is not known
 */
export function isPublicUrl(url: string, siteOrigin: string | null): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") return false;
  if (parsed.username !== "" || parsed.password !== "") return false;
  const host = parsed.hostname.replace(/\.$/, "");
  const names = host.split(".");
  const suffix = names.at(-1) ?? "";
  // `URL` has written each notation of an IPv4 address as four numbers.
  const isName =
    names.length > 1 && names.every((name) => label.test(name)) && /^[a-z]/.test(suffix);
  if (!isName || privateSuffixes.has(suffix) || !isAllowedPort(parsed.port)) return false;
  return siteOrigin === null || host !== URL.parse(siteOrigin)?.hostname;
}
