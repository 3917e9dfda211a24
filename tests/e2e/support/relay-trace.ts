import type { BrowserContext } from "@playwright/test";
import { chunkSamples } from "#shared/limits.ts";
import { relayClientMessage, relayServerMessage } from "#shared/relay.ts";
import {
  reportSentAudio,
  type SentAudio,
  toSamples,
} from "#tests/unit/local/soniox/sent-audio-report.ts";

/** Number of final characters in a report. */
const tailLength = 160;
const sampleRate = 16_000;

/**
 * Records what the pages of a context send and receive, so that a failed test shows whether a word was lost by the
 * microphone, on the way to the server, in the room, or in the page.
 */
export function traceRelay(context: BrowserContext) {
  const chunks = new Map<number, Uint8Array>();
  const connections: SentAudio[] = [];
  const events: string[] = [];
  let finals = "";
  context.on("page", (page) => {
    page.on("websocket", (socket) => {
      if (!socket.url().includes("/api/recordings/")) return;
      events.push("open");
      const sent: SentAudio = { chunks: [], finals: "" };
      connections.push(sent);
      const send = (seq: number, pcm: Uint8Array) => {
        chunks.set(seq, pcm);
        sent.chunks.push({ seq, pcm });
      };
      socket.on("framesent", ({ payload }) => {
        if (typeof payload !== "string") {
          send(payload.readUInt32BE(0), payload.subarray(4));
          return;
        }
        const { data } = relayClientMessage.safeParse(JSON.parse(payload));
        if (data?.type === "audio") send(data.seq ?? 0, Buffer.from(data.data, "base64"));
        else if (data?.type !== "keepalive") events.push(payload);
      });
      socket.on("framereceived", ({ payload }) => {
        const { data } = relayServerMessage.safeParse(JSON.parse(String(payload)));
        if (data?.type === "tokens")
          for (const token of data.tokens) {
            const text = token.is_final ? token.text : "";
            finals += text;
            sent.finals += text;
          }
        else if (data?.type === "ack") events.push(`ack ${data.seq}`);
        else if (data?.type !== "timer") events.push(String(payload));
      });
      socket.on("close", () => events.push("close"));
    });
  });
  /** All audio that was sent, with silence for missing chunks. */
  function sound(): Float32Array {
    const last = Math.max(-1, ...chunks.keys());
    const samples = new Float32Array((last + 1) * chunkSamples);
    for (const [seq, pcm] of chunks) samples.set(toSamples(pcm), seq * chunkSamples);
    return samples;
  }
  return {
    sampleRate,
    sound,
    report(): string {
      const last = Math.max(-1, ...chunks.keys());
      const numbers = Array.from({ length: last + 1 }, (_, seq) => seq);
      return [
        `sent chunks 0 to ${last}, without [${numbers.filter((seq) => !chunks.has(seq))}]`,
        `final words received …${finals.slice(-tailLength)}`,
        ...connections.map((sent, at) => `connection ${at + 1}: ${reportSentAudio(sent)}`),
        `socket: ${events.join(", ")}`,
      ].join("\n");
    },
  };
}
