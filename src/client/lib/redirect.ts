/** The path of `target` on this site, else null: no link may redirect to another site after sign-in. */
export function toSameOriginPath(target: unknown, origin: string): string | null {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target)) return null;
  if (!URL.canParse(target, origin)) return null;
  const address = new URL(target, origin);
  if (address.origin !== origin || address.pathname === "/auth") return null;
  const path = address.pathname + address.search + address.hash;
  // "/.//evil.example" has become an address on another site.
  return path.startsWith("//") ? null : path;
}
