/** No page's address begins with these. */
const noPages = /^\/(api|trpc|mcp|assets|models)(\/|$)/;

/** Whether a person may have meant a page: an address without an extension and without names of hidden files. */
export function isPageAddress({ method, url }: Pick<Request, "method" | "url">): boolean {
  const { pathname } = new URL(url);
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !pathname.includes(".") && !noPages.test(pathname);
}

/**
 * The program's document with the status 404: it shows that there is no such page. Pages that exist never come here:
 * `public/_redirects` lists them.
 */
export async function answerUnknownPage(
  request: Request,
  files: Pick<Fetcher, "fetch">,
): Promise<Response> {
  const document = await files.fetch(new URL("/", request.url).href, { method: request.method });
  const answer = new Response(document.body, { status: 404, headers: document.headers });
  answer.headers.set("cache-control", "no-store");
  answer.headers.delete("etag");
  return answer;
}
