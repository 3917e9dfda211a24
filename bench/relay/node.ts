import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import type { RelayClientMessage } from "#shared/relay.ts";

/** A minimal relay in plain Node, for comparison with the room. */
const input = await receiveInput<{ providerUrl: string }>(() => server.close());
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (browser) => relayConnection(browser, input.providerUrl));
await once(server, "listening");
sendToParent({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });

const seqBytes = 4;

function relayConnection(browser: WebSocket, providerUrl: string): void {
  let provider: WebSocket | null = null;
  const pending: Buffer[] = [];
  const forward = (pcm: Buffer) => {
    if (provider?.readyState === WebSocket.OPEN) provider.send(pcm);
    else pending.push(pcm);
  };
  const open = (sampleRate: number, audio: string) => {
    const session = new WebSocket(providerUrl, { headers: { authorization: "Bearer bench" } });
    provider = session;
    session.on("open", () => {
      session.send(JSON.stringify(createStartRequest(sampleRate)));
      for (const pcm of pending.splice(0)) session.send(pcm);
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
    else if (message.type === "config") open(message.sampleRate, message.audio ?? "base64");
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

function createStartRequest(sampleRate: number) {
  return {
    model: "stt-rt-v5",
    audio_format: "pcm_s16le",
    sample_rate: sampleRate,
    num_channels: 1,
  };
}
