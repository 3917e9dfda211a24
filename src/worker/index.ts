import { DurableObject } from "cloudflare:workers";
import { app } from "./app.ts";
import { runCron } from "./cron/run.ts";

export class RecordingRoom extends DurableObject {}

export default {
  fetch: app.fetch,
  scheduled: (controller, bindings) => runCron(bindings, new Date(controller.scheduledTime)),
} satisfies ExportedHandler<Cloudflare.Env>;
