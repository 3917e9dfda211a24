/**
 * A file of the program, whose name changes with its content. One that is not there, such as a part of an
 * earlier version, is answered with 404: the page that stands in for unknown addresses would be kept under
 * its name for a year.
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
