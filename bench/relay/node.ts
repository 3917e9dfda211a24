import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { writeOggChunk } from "#shared/ogg-opus.ts";
import { decodeOpusChunk } from "#shared/opus.ts";
import type { AudioCodec, RelayClientMessage, RelayConfig } from "#shared/relay.ts";

const seqBytes = 4;

/** A minimal relay in plain Node, for comparison with the room. */
const input = await receiveInput<{ providerUrl: string }>(() => server.close());
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (browser) => relayConnection(browser, input.providerUrl));
await once(server, "listening");
sendToParent({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });

function relayConnection(browser: WebSocket, providerUrl: string): void {
  let provider: WebSocket | null = null;
  const pending: Uint8Array[] = [];
  let codec: AudioCodec = "pcm_s16le";
  let chunks = 0;
  const forward = (chunk: Uint8Array) => {
    const data = codec === "opus" ? toOgg(chunk, chunks++) : chunk;
    if (provider?.readyState === WebSocket.OPEN) provider.send(data);
    else pending.push(data);
  };
  const open = ({ sampleRate, audio = "base64", ...config }: RelayConfig) => {
    codec = config.codec ?? codec;
    const session = new WebSocket(providerUrl, { headers: { authorization: "Bearer bench" } });
    provider = session;
    session.on("open", () => {
      session.send(JSON.stringify(createStartRequest(codec, sampleRate)));
      for (const data of pending.splice(0)) session.send(data);
    });
    session.on("message", (data) => browser.send(toRelayMessage(String(data))));
    session.on("close", () => browser.close());
    browser.send(JSON.stringify({ type: "config_acknowledged", audio, nextSeq: 0 }));
  };
  browser.on("message", (data: RawData, isBinary: boolean) => {
    if (isBinary) {
      forward((data as Buffer).subarray(seqBytes));
      return;
    }
    const message: RelayClientMessage = JSON.parse(String(data));
    if (message.type === "audio") forward(Buffer.from(message.data, "base64"));
    else if (message.type === "config") open(message);
  });
  browser.on("close", () => provider?.close());
  browser.send(JSON.stringify({ type: "ready" }));
}

/** Converts a provider's answer to the relay's format. */
function toRelayMessage(answer: string): string {
  const { tokens, final_audio_proc_ms, total_audio_proc_ms } = JSON.parse(answer);
  return JSON.stringify({
    type: "tokens",
    tokens,
    audio_final_proc_ms: final_audio_proc_ms,
    audio_total_proc_ms: total_audio_proc_ms,
  });
}

function createStartRequest(codec: AudioCodec, sampleRate: number) {
  const model = "stt-rt-v5";
  if (codec === "opus") return { model, audio_format: "auto" };
  return { model, audio_format: "pcm_s16le", sample_rate: sampleRate, num_channels: 1 };
}

function toOgg(payload: Uint8Array, index: number): Uint8Array {
  const chunk = decodeOpusChunk(payload);
  if (!chunk) throw new Error("The load generator sent a wrong chunk.");
  return writeOggChunk({ serial: 1, index, packets: chunk.packets, leadIn: [] });
}
