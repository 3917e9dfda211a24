/**
 * The rate-limit key of the caller's network address, or null where it says nothing: on the
 * developer's own machine everybody is loopback.
 */
export function addressKeyOf(request: Request): string | null {
  const address = request.headers.get("cf-connecting-ip");
  if (!address || address === "::1" || address.startsWith("127.")) return null;
  return `address:${address.includes(":") ? networkOf(address) : address}`;
}

/** An IPv6 customer holds a /64 at least: limiting single addresses would limit nobody. */
function networkOf(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(gap).fill("0"), ...back];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
