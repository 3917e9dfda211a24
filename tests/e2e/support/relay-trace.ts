import type { BrowserContext } from "@playwright/test";
import { chunkSamples } from "../../../src/shared/limits.ts";
import { relayClientMessage, relayServerMessage } from "../../../src/shared/relay.ts";
import { hear } from "../../unit/local/soniox/hear.ts";

/** Enough of a text's end to see what is missing there. */
const tail = 160;

/**
 * Follows what the page sends and receives, so that a failed test can tell a word that the microphone
 * never delivered from one that was lost on the way out, in the room, or in the page.
 */
export function traceRelay(context: BrowserContext) {
  const chunks = new Map<number, Uint8Array>();
  const events: string[] = [];
  let finals = "";
  context.on("page", (page) => {
    page.on("websocket", (socket) => {
      if (!socket.url().includes("/api/recordings/")) return;
      events.push("open");
      socket.on("framesent", ({ payload }) => {
        if (typeof payload !== "string") {
          chunks.set(payload.readUInt32BE(0), payload.subarray(4));
          return;
        }
        const { data } = relayClientMessage.safeParse(JSON.parse(payload));
        if (data?.type === "audio") chunks.set(data.seq ?? 0, Buffer.from(data.data, "base64"));
        else if (data?.type !== "keepalive") events.push(payload);
      });
      socket.on("framereceived", ({ payload }) => {
        const { data } = relayServerMessage.safeParse(JSON.parse(String(payload)));
        if (data?.type === "tokens")
          for (const token of data.tokens) finals += token.is_final ? token.text : "";
        else if (data?.type === "ack") events.push(`ack ${data.seq}`);
        else if (data?.type !== "timer") events.push(String(payload));
      });
      socket.on("close", () => events.push("close"));
    });
  });
  return {
    report(): string {
      const last = Math.max(-1, ...chunks.keys());
      const samples = new Float32Array((last + 1) * chunkSamples);
      const missing: number[] = [];
      for (let seq = 0; seq <= last; seq += 1) {
        const pcm = chunks.get(seq);
        if (!pcm) missing.push(seq);
        else samples.set(samplesOf(pcm), seq * chunkSamples);
      }
      return [
        `sent chunks 0 to ${last}, without [${missing}]`,
        `they say …${hear(samples, 16_000).text.slice(-tail)}`,
        `final words received …${finals.slice(-tail)}`,
        `socket: ${events.join(", ")}`,
      ].join("\n");
    },
  };
}

function samplesOf(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Float32Array.from(
    { length: pcm.byteLength / 2 },
    (_, at) => view.getInt16(2 * at, true) / 32_768,
  );
}
