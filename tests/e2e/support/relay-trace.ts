import type { BrowserContext, Page } from "@playwright/test";
import { relayClientMessage, relayServerMessage } from "#shared/relay.ts";
import { recognise } from "#tests/unit/local/soniox/recognise.ts";
import {
  decodeSentAudio,
  reportSentAudio,
  type SentAudio,
  sentSampleRate,
} from "#tests/unit/local/soniox/sent-audio-report.ts";

/** Number of final characters in a report. */
const tailLength = 160;

/**
 * Records what the pages of a context send and receive, so that a failed test shows whether a word was lost by the
 * microphone, on the way to the server, in the room, or in the page.
 */
export function traceRelay(context: BrowserContext) {
  /** What was sent after each `config`. */
  const parts: SentAudio[] = [];
  const events: string[] = [];
  let finals = "";
  const watch = (page: Page) =>
    page.on("websocket", (socket) => {
      if (!socket.url().includes("/api/recordings/")) return;
      events.push("open");
      let part: SentAudio | null = null;
      socket.on("framesent", ({ payload }) => {
        if (typeof payload !== "string") {
          part?.chunks.push({ seq: payload.readUInt32BE(0), data: payload.subarray(4) });
          return;
        }
        const { data } = relayClientMessage.safeParse(JSON.parse(payload));
        if (data?.type === "config") {
          part = {
            take: data.take ?? "",
            codec: data.codec ?? "pcm_s16le",
            chunks: [],
            finals: "",
          };
          parts.push(part);
        }
        if (data?.type === "audio")
          part?.chunks.push({ seq: data.seq ?? 0, data: Buffer.from(data.data, "base64") });
        else if (data?.type !== "keepalive") events.push(payload);
      });
      socket.on("framereceived", ({ payload }) => {
        const { data } = relayServerMessage.safeParse(JSON.parse(String(payload)));
        if (data?.type === "tokens")
          for (const token of data.tokens) {
            const text = token.is_final ? token.text : "";
            finals += text;
            if (part !== null) part.finals += text;
          }
        else if (data?.type === "ack") events.push(`ack ${data.seq}`);
        else if (data?.type !== "timer") events.push(String(payload));
      });
      socket.on("close", () => events.push("close"));
    });
  for (const page of context.pages()) watch(page);
  context.on("page", watch);
  /** The audio that was sent, each chunk once, take by take. */
  const decodeTakes = () => {
    const takes = Map.groupBy(parts, ({ take }) => take);
    return Promise.all(
      [...takes.values()].map((sent) => {
        const chunks = new Map(sent.flatMap((part) => part.chunks).map((each) => [each.seq, each]));
        const ordered = [...chunks.values()].toSorted((a, b) => a.seq - b.seq);
        return decodeSentAudio(sent[0]?.codec ?? "pcm_s16le", ordered);
      }),
    );
  };
  return {
    sampleRate: sentSampleRate,
    /** All audio that was sent, take by take. */
    async sound(): Promise<Float32Array> {
      return new Float32Array((await decodeTakes()).flatMap((sound) => [...sound]));
    },
    /** The words of the audio that was sent, as text, take by take. */
    async texts(): Promise<string[]> {
      return (await decodeTakes()).map((sound) => recognise(sound, sentSampleRate).text);
    },
    async report(): Promise<string> {
      const lines = await Promise.all(parts.map(reportSentAudio));
      return [
        `final words received …${finals.slice(-tailLength)}`,
        ...lines.map((line, at) => `part ${at + 1}: ${line}`),
        `socket: ${events.join(", ")}`,
      ].join("\n");
    },
  };
}
