// Runs in front of the product's worker. Requests come from the reverse proxy alone, which proves itself with a secret:
// so its headers about the caller are believed, and nobody can go around it.

const proxyHeader = "dualect-proxy";

export default {
  /**
   * @param {Request} request
   * @param {{ PROXY_SECRET: string, SITE_HOST: string, PRODUCT: { fetch(request: Request): Promise<Response> } }} env
   */
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    // What watches the site is on this machine.
    if (request.method === "GET" && pathname === "/api/health") return env.PRODUCT.fetch(request);
    if (!(await isEqual(request.headers.get(proxyHeader), env.PROXY_SECRET)))
      return new Response("Only the reverse proxy is answered.\n", { status: 403 });
    if (request.headers.get("host") !== env.SITE_HOST)
      return new Response("This host is not served here.\n", { status: 421 });
    if (/^\/cdn-cgi(\/|$)/.test(pathname)) return new Response(null, { status: 404 });
    const headers = new Headers(request.headers);
    headers.delete(proxyHeader);
    headers.delete("cf-connecting-ip");
    const address = readClientAddress(request.headers.get("x-forwarded-for"));
    if (address) headers.set("cf-connecting-ip", address);
    return env.PRODUCT.fetch(new Request(request, { headers }));
  },
};

/**
 * Compares hashes, which have one length, in constant time.
 *
 * @param {string | null} given
 * @param {string} expected
 */
async function isEqual(given, expected) {
  const hash = (/** @type {string} */ text) =>
    crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [a, b] = await Promise.all([hash(given ?? ""), hash(expected)]);
  // @ts-expect-error workerd has it.
  return crypto.subtle.timingSafeEqual(a, b);
}

/**
 * The caller's network address, as the reverse proxy has appended it to `X-Forwarded-For`: what stands before was sent by
 * the caller. Null if there is none.
 *
 * @param {string | null} forwardedFor
 * @returns {string | null}
 */
function readClientAddress(forwardedFor) {
  const last = forwardedFor?.split(",").at(-1)?.trim() ?? "";
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(last) ?? [];
  const bare = bracketed ?? last.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const address = bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return /^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(address) ? address : null;
}
