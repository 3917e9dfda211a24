/**
 * Whether a URL's `hostname` is on the machine itself or in a private network, by its spelling alone:
 * nothing is resolved.
 *
 * - `localhost`, and names that end in `.localhost`, `.local` or `.internal`;
 * - IPv4: 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and 100.64.0.0/10 (carrier-grade NAT,
 *   where VPNs put their hosts);
 * - IPv6: ::1 and fc00::/7.
 *
 * Link-local addresses are not: clouds answer with their credentials there.
 *
 * @param hostname as `URL` gives it, which has one spelling for each address.
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  if (name.startsWith("[")) return name === "[::1]" || /^\[f[cd][0-9a-f]{2}:/.test(name);
  const address = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(name);
  if (!address) return name === "localhost" || /\.(localhost|local|internal)$/.test(name);
  const first = Number(address[1]);
  const second = Number(address[2]);
  return (
    first === 127 ||
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 100 && second >= 64 && second <= 127)
  );
}

/** Whether a URL's `hostname` is on the machine itself. */
export const isLoopback = (hostname: string): boolean =>
  /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)\.?$/.test(hostname);
