import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { receiveInput, sendToParent } from "#bench/processes.ts";

/** Simulates readers that open a share's socket and read nothing until the benchmark says so. */
export interface IdleReaders {
  host: string;
  port: number;
  /** Of each reader. */
  paths: readonly string[];
}

/** What was left for each reader to read, once it read. */
export interface IdleReaderReport {
  bytes: number;
  /** Null if the socket was not closed. */
  closeCode: number | null;
}

/** Nothing more comes. */
const quietMs = 1_000;
const textFrame = 1;
const closeFrame = 8;

const sockets: Socket[] = [];
const { host, port, paths } = await receiveInput<IdleReaders>(() => {
  for (const socket of sockets) socket.destroy();
});
for (const path of paths) sockets.push(await open(path));
process.on("message", async () => {
  const reports = await Promise.all(sockets.map(readAll));
  sendToParent({ reports });
});
sendToParent({});

async function open(path: string): Promise<Socket> {
  const socket = connect({ host, port });
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      `Host: ${host}:${port}`,
      `Origin: http://${host}:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "",
      "",
    ].join("\r\n"),
  );
  await once(socket, "readable");
  // The status line alone: the system keeps the rest, and then takes no more.
  const status = String(socket.read(12) ?? "");
  if (status !== "HTTP/1.1 101") throw new Error(`no upgrade: ${status}`);
  return socket;
}

async function readAll(socket: Socket): Promise<IdleReaderReport> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    let quiet = setTimeout(resolve, quietMs);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(resolve, quietMs);
    });
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
  });
  const all = Buffer.concat(chunks);
  return readFrames(all.subarray(all.indexOf("\r\n\r\n") + 4));
}

/** A server's frames are not masked. */
function readFrames(data: Buffer): IdleReaderReport {
  let bytes = 0;
  for (let at = 0; at + 2 <= data.length; ) {
    const kind = data.readUInt8(at) & 0x0f;
    let length = data.readUInt8(at + 1) & 0x7f;
    at += 2;
    if (length === 126) {
      length = data.readUInt16BE(at);
      at += 2;
    } else if (length === 127) {
      length = Number(data.readBigUInt64BE(at));
      at += 8;
    }
    if (kind === closeFrame) return { bytes, closeCode: data.readUInt16BE(at) };
    if (kind !== textFrame) throw new Error(`a frame of kind ${kind}`);
    bytes += length;
    at += length;
  }
  return { bytes, closeCode: null };
}
