/**
 * Serves a build file, whose name contains a hash of its content. A missing one, such as a chunk of an earlier
 * version, gets 404: otherwise the HTML fallback would be cached under its name for a year.
 */
export async function serveAsset(
  request: Request,
  files: Pick<Fetcher, "fetch">,
): Promise<Response> {
  const answer = await files.fetch(request);
  if (answer.headers.get("content-type")?.startsWith("text/html") !== true) return answer;
  await answer.body?.cancel();
  return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
}
