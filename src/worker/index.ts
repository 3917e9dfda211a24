import { runCron } from "./cron/run.ts";
import { app } from "./http/app.ts";

export { RecordingRoom } from "./durable/recording-room.ts";
export { ShareRoom } from "./durable/share-room.ts";
export { SiteMetrics, SpeechOpenings } from "./durable/site-objects.ts";
export { UserChannel } from "./durable/user-channel.ts";

export default {
  fetch(request: Request, bindings, context) {
    if (new URL(request.url).pathname.startsWith("/assets/"))
      return serveAsset(request, bindings.ASSETS);
    return app.fetch(request, bindings, context);
  },
  scheduled: (controller, bindings) => runCron(bindings, new Date(controller.scheduledTime)),
} satisfies ExportedHandler<Cloudflare.Env>;

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
