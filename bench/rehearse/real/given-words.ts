import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { parseDeepgramMessage } from "#worker/adapters/deepgram-messages.ts";

/** A relay between the product and the speech server, which notes the final words that the server gives. */
export interface GivenWords {
  /** Address for the product. */
  url: string;
  /** The final text of each stream that has opened since the last call, in their order. */
  take(): string[];
  close(): Promise<void>;
}

interface Stream {
  text: string;
}

/** `target`: address of the server's streams. */
export async function relayGivenWords(target: string): Promise<GivenWords> {
  let streams: Stream[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on("upgrade", (request, socket, head) => {
    const { search } = new URL(request.url ?? "/", "http://127.0.0.1");
    const upstream = new WebSocket(`${target}${search}`, { perMessageDeflate: false });
    // As without the relay, a server that is not there refuses the connection.
    upstream.once("error", () => socket.destroy());
    upstream.once("open", () => {
      const stream: Stream = { text: "" };
      streams.push(stream);
      sockets.handleUpgrade(request, socket, head, (downstream) =>
        connect(upstream, downstream, stream),
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}${new URL(target).pathname}`,
    take() {
      const texts = streams.map(({ text }) => text);
      streams = [];
      return texts;
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.close();
      await once(server, "close");
    },
  };
}

function connect(upstream: WebSocket, downstream: WebSocket, stream: Stream): void {
  upstream.on("message", (data, isBinary) => {
    if (!isBinary) stream.text += readFinalText(data);
    downstream.send(data, { binary: isBinary });
  });
  downstream.on("message", (data, isBinary) => {
    if (upstream.readyState === WebSocket.OPEN) upstream.send(data, { binary: isBinary });
  });
  upstream.on("close", (code) => endSocket(downstream, code));
  downstream.on("close", (code) => endSocket(upstream, code));
  upstream.on("error", () => downstream.terminate());
  downstream.on("error", () => upstream.terminate());
}

/** Codes from 1004 to 1006 are never sent: they say that there was no close. */
function endSocket(socket: WebSocket, code: number): void {
  if (code >= 1_004 && code <= 1_006) socket.terminate();
  else socket.close(code);
}

function readFinalText(data: RawData): string {
  const message = parseDeepgramMessage(JSON.parse(`${data}`));
  if (message?.type !== "progress") return "";
  return message.tokens
    .filter(({ isFinal, text }) => isFinal && !/^<\w+>$/.test(text))
    .map(({ text }) => text)
    .join("");
}
