// Runs in front of the product's worker on the local machine and does what Cloudflare's edge does there:
// it hides /cdn-cgi and compresses answers. It also rejects hosts other than loopback (local-requests.ts).

const compressibleTypes =
  /^(text\/(html|plain|css|javascript|xml)|application\/(javascript|json|wasm|manifest\+json)|image\/svg\+xml)\b/;

export default {
  /**
   * @param {Request} request
   * @param {{ LOOPBACK_HOSTS: string[], PRODUCT: { fetch(request: Request): Promise<Response> } }} env
   */
  async fetch(request, env) {
    const host = `http://${request.headers.get("host")}`;
    if (!URL.canParse(host) || !env.LOOPBACK_HOSTS.includes(new URL(host).hostname))
      return new Response("This host is not served here.\n", { status: 403 });
    if (/^\/cdn-cgi(\/|$)/.test(new URL(request.url).pathname))
      return new Response(null, { status: 404 });
    return compress(request, await env.PRODUCT.fetch(request));
  },
};

/**
 * @param {Request} request
 * @param {Response} response
 */
function compress(request, response) {
  const acceptsGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const { status, headers } = response;
  if (!acceptsGzip || status === 101 || headers.has("content-encoding")) return response;
  if (!compressibleTypes.test(headers.get("content-type") ?? "")) return response;
  const answer = new Response(response.body, response);
  answer.headers.set("content-encoding", "gzip");
  return answer;
}
