import type { IncomingMessage, ServerResponse } from "node:http";
import type { StandIn } from "#local/stand-in.ts";

const prefix = "/elsewhere/";
const maxBytes = 64 * 1024 * 1024;

interface StoredFile {
  type: string;
  body: Buffer;
  etag: string;
}

const about = `<!doctype html><meta charset="utf-8"><title>Stand-in for other sites</title>
<p>This stands in for other people's sites with recordings, on this machine alone. It has what was stored here by PUT.</p>\n`;

/**
 * A stand-in for other people's sites: `PUT /elsewhere/…` stores a file with its type, GET returns it, from a byte on if that
 * is asked for. No page of another origin may read it, so the worker has to.
 */
export function createRemoteStandIn(): StandIn {
  const files = new Map<string, StoredFile>();

  async function store(path: string, request: IncomingMessage): Promise<boolean> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.byteLength;
      if (bytes <= maxBytes) parts.push(part);
    }
    if (bytes > maxBytes) return false;
    const type = request.headers["content-type"] ?? "application/octet-stream";
    files.set(path, { type, body: Buffer.concat(parts), etag: `"${files.size}-${bytes}"` });
    return true;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? prefix;
    if (request.method === "PUT") {
      response.writeHead((await store(path, request)) ? 204 : 413).end();
      return;
    }
    if (path === prefix) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(about);
      return;
    }
    const file = files.get(path);
    if (file) send(request, response, file);
    else response.writeHead(404).end("There is no such file\n");
  }

  return { prefixes: [prefix], handle, async close() {} };
}

function send({ headers }: IncomingMessage, response: ServerResponse, file: StoredFile): void {
  const { type, body, etag } = file;
  const isSame = headers["if-range"] === undefined || headers["if-range"] === etag;
  const range = /^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1];
  const from = isSame && range !== undefined ? Number(range) : 0;
  const part = body.subarray(from);
  const last = body.byteLength - 1;
  response.writeHead(from > 0 ? 206 : 200, {
    "content-type": type,
    "content-length": part.byteLength,
    etag,
    ...(from > 0 && { "content-range": `bytes ${from}-${last}/${body.byteLength}` }),
  });
  response.end(part);
}
