import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { receiveInput, sendToParent } from "#bench/processes.ts";

/** A minimal fan-out in plain Node, for comparison: it relays one recording and sends its words to all readers. */
const input = await receiveInput<{ providerUrl: string }>(() => server.close());
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
const readers = new Set<WebSocket>();
/** As many words as the share's line has. */
const lineLength = 28;
const words: string[] = [];

server.on("connection", (socket, request) => {
  if (request.url?.startsWith("/reader")) {
    readers.add(socket);
    socket.on("message", () => socket.send("pong"));
    socket.on("close", () => readers.delete(socket));
    socket.send(JSON.stringify({ type: "snapshot", live: null }));
  } else relayRecording(socket);
});
await once(server, "listening");
sendToParent({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` });

function relayRecording(recorder: WebSocket): void {
  const provider = new WebSocket(input.providerUrl, { headers: { authorization: "Bearer bench" } });
  const pending: Buffer[] = [];
  provider.on("open", () => {
    const format = { audio_format: "pcm_s16le", sample_rate: 16_000, num_channels: 1 };
    provider.send(JSON.stringify({ model: "stt-rt-v5", ...format }));
    for (const pcm of pending.splice(0)) provider.send(pcm);
  });
  provider.on("message", (data) => {
    const { tokens, total_audio_proc_ms } = JSON.parse(String(data));
    recorder.send(
      JSON.stringify({ type: "tokens", tokens, audio_total_proc_ms: total_audio_proc_ms }),
    );
    for (const { text } of tokens) words.push(text);
    words.splice(0, words.length - lineLength);
    const frame = JSON.stringify({
      type: "delta",
      from: 0,
      to: 0,
      live: { finalText: words.join(""), interimText: "", speaker: null, startMs: 0 },
    });
    for (const reader of readers) reader.send(frame);
  });
  recorder.on("message", (data: RawData, isBinary: boolean) => {
    if (!isBinary) {
      recorder.send(JSON.stringify({ type: "config_acknowledged" }));
      return;
    }
    const pcm = (data as Buffer).subarray(4);
    if (provider.readyState === WebSocket.OPEN) provider.send(pcm);
    else pending.push(pcm);
  });
  recorder.on("close", () => provider.close());
}
