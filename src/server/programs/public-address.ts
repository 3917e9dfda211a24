/**
 * The networks of IANA's registries of special-purpose addresses that no public server has; of IPv6 only what lies in
 * 2000::/3, because nothing else is public. 6to4 and Teredo contain IPv4 addresses.
 */
const privateIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map((network) => toNetwork(network, parseIpv4, 32));
const publicIpv6 = toNetwork("2000::/3", parseIpv6, 128);
const privateIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((network) =>
  toNetwork(network, parseIpv6, 128),
);

interface Network {
  first: bigint;
  /** Bits after the prefix. */
  rest: bigint;
}

/** Whether the IPv4 or IPv6 address is one of the internet; false for anything else. */
export function isPublicAddress(address: string): boolean {
  const ipv4 = parseIpv4(address);
  if (ipv4 !== null) return !privateIpv4.some((network) => isIn(network, ipv4));
  const ipv6 = parseIpv6(address);
  if (ipv6 === null) return false;
  return isIn(publicIpv6, ipv6) && !privateIpv6.some((network) => isIn(network, ipv6));
}

const isIn = ({ first, rest }: Network, address: bigint): boolean =>
  address >> rest === first >> rest;

function toNetwork(
  text: string,
  parse: (address: string) => bigint | null,
  length: number,
): Network {
  const [address = "", prefix] = text.split("/");
  return { first: parse(address) ?? 0n, rest: BigInt(length - Number(prefix)) };
}

/** Four decimal numbers; null for anything else. */
function parseIpv4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null;
  const numbers = parts.map(Number);
  if (numbers.some((number) => number > 255)) return null;
  return numbers.reduce((sum, number) => sum * 256n + BigInt(number), 0n);
}

/** Groups of hexadecimal digits, the last two perhaps as an IPv4 address; null for anything else, and with a zone. */
function parseIpv6(text: string): bigint | null {
  const halves = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const [front = [], back] = halves;
  const ipv4 = parseIpv4((back ?? front).at(-1) ?? "");
  if (ipv4 !== null)
    (back ?? front).splice(-1, 1, (ipv4 >> 16n).toString(16), (ipv4 & 0xffffn).toString(16));
  const count = front.length + (back?.length ?? 0);
  if (halves.length > 2 || (back === undefined ? count !== 8 : count > 7)) return null;
  const groups = [...front, ...Array<string>(8 - count).fill("0"), ...(back ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
