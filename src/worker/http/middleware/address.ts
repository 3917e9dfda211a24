/** Groups of 16 bits that name an IPv6 customer's network, and their provider's assignment. */
const customerPrefixGroups = 4;
const sitePrefixGroups = 3;

/**
 * The rate-limit key of the caller's network address, or null where it says nothing: on the
 * developer's own machine everybody is loopback.
 */
export function getAddressKey(request: Request): string | null {
  const address = getCallerAddress(request);
  if (address === null) return null;
  // An IPv6 customer holds a /64 at least: limiting single addresses would limit nobody.
  return `address:${address.includes(":") ? getIpv6Prefix(address, customerPrefixGroups) : address}`;
}

/**
 * The key of the range around the address, for limits that one customer with many addresses must not
 * multiply: the /48 of IPv6 (what a site is assigned), the /24 of IPv4. Null as in `getAddressKey`.
 */
export function getNetworkKey(request: Request): string | null {
  const address = getCallerAddress(request);
  if (address === null) return null;
  if (address.includes(":")) return `network:${getIpv6Prefix(address, sitePrefixGroups)}`;
  return `network:${address.split(".").slice(0, 3).join(".")}`;
}

/** The caller's network address; null where it says nothing. */
export function getCallerAddress(request: Request): string | null {
  const address = request.headers.get("cf-connecting-ip");
  return !address || address === "::1" || address.startsWith("127.") ? null : address;
}

/** The first `count` groups of an IPv6 address, in one spelling. */
function getIpv6Prefix(address: string, count: number): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(gap).fill("0"), ...back];
  return groups
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
