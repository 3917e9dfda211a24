import { app } from "./app.ts";
import { runCron } from "./cron/run.ts";

export { RecordingRoom } from "./durable/recording-room.ts";
export { UserChannel } from "./durable/user-channel.ts";

export default {
  fetch: app.fetch,
  scheduled: (controller, bindings) => runCron(bindings, new Date(controller.scheduledTime)),
} satisfies ExportedHandler<Cloudflare.Env>;
