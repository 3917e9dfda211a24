import { runCron } from "./cron/run.ts";
import { app } from "./http/app.ts";
import { serveAsset } from "./http/routes/assets.ts";

export { RecordingRoom } from "./durable/recording-room.ts";
export { ShareRoom } from "./durable/share-room.ts";
export { UserChannel } from "./durable/user-channel.ts";

export default {
  fetch(request: Request, bindings, context) {
    if (new URL(request.url).pathname.startsWith("/assets/"))
      return serveAsset(request, bindings.ASSETS);
    return app.fetch(request, bindings, context);
  },
  scheduled: (controller, bindings) => runCron(bindings, new Date(controller.scheduledTime)),
} satisfies ExportedHandler<Cloudflare.Env>;
