import { runCron } from "./cron/run.ts";
import { app } from "./http/app.ts";
import { answerUnknownPage, isPageAddress } from "./http/missing-files.ts";

export { RecordingRoom } from "./durable/recording-room.ts";
export { ShareRoom } from "./durable/share-room.ts";
export { SiteMetrics, SpeechOpenings } from "./durable/site-objects.ts";
export { UserChannel } from "./durable/user-channel.ts";

/** Files of the build and pages that exist are answered before (`[assets]` of wrangler.toml). */
export default {
  fetch: (request: Request, bindings, context) =>
    isPageAddress(request)
      ? answerUnknownPage(request, bindings.ASSETS)
      : app.fetch(request, bindings, context),
  scheduled: (controller, bindings) => runCron(bindings, new Date(controller.scheduledTime)),
} satisfies ExportedHandler<Cloudflare.Env>;
