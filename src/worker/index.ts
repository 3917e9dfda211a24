import { DurableObject } from "cloudflare:workers";

export class RecordingRoom extends DurableObject {
  override async fetch(): Promise<Response> {
    return new Response("room");
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    return new Response(`worker ${new URL(request.url).pathname}`);
  },
} satisfies ExportedHandler;
