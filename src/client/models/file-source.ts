import type { ManifestFile } from "./manifest.ts";
import { ModelError } from "./model-error.ts";
import { type DeviceModel, getFileUrl, type ModelSource } from "./model-source.ts";

/** Requests files of models over HTTP. Keeps nothing. */

export type Get = (url: string, headers?: Record<string, string>) => Promise<Response>;

/**
 * A GET that sends neither cookies nor the page's address, and that the browser's cache does not keep a second time.
 *
 * @throws (the returned function) ModelError `unreachable` or `missing`; an AbortError.
 */
export function createGet(
  run: (url: string, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Get {
  return async (url, headers = {}) => {
    let response: Response;
    try {
      response = await run(url, {
        headers,
        signal,
        credentials: "omit",
        referrerPolicy: "no-referrer",
        cache: "no-store",
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw new ModelError("unreachable", `no answer from ${url}`, { cause });
    }
    const { status } = response;
    if (response.ok || status === 416) {
      // For a file that does not exist, a site may respond with its document.
      const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
      if (!isPage) return response;
    }
    await response.body?.cancel();
    const isLater = status === 408 || status === 429 || status >= 500;
    throw new ModelError(isLater ? "unreachable" : "missing", `${status} from ${url}`);
  };
}

/**
 * The bytes of a file from `offset` on.
 *
 * @throws ModelError `unreachable`, `missing`, `cut` or `wrong` (longer than stated); an AbortError.
 */
export async function* readFile(
  model: DeviceModel,
  file: ManifestFile,
  offset: number,
  source: ModelSource,
  get: Get,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let start = 0;
  for (const { name, bytes } of file.pieces) {
    const from = Math.max(0, offset - start);
    if (from < bytes) yield* readPiece(getFileUrl(source, model, name), from, bytes, get);
    start += bytes;
  }
}

async function* readPiece(
  url: string,
  from: number,
  bytes: number,
  get: Get,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const response = (from > 0 ? await requestRest(url, from, get) : null) ?? (await get(url));
  // A server without ranges sends everything again.
  let skipped = response.status === 206 ? 0 : from;
  let left = bytes - from;
  for await (const chunk of readBody(response, url)) {
    const rest = chunk.subarray(skipped);
    skipped -= chunk.length - rest.length;
    left -= rest.length;
    if (left < 0) throw new ModelError("wrong", `${url} is longer than ${bytes} bytes`);
    if (rest.length > 0) yield rest;
  }
  if (left > 0) throw new ModelError("cut", `${url} ended ${left} bytes too early`);
}

/** The answer to a request for the bytes from `from` on; null if it is of no use. */
async function requestRest(url: string, from: number, get: Get): Promise<Response | null> {
  let response: Response;
  try {
    response = await get(url, { range: `bytes=${from}-` });
  } catch (error) {
    // A browser that does not know ranges as harmless asks the server first, which may refuse.
    if (error instanceof ModelError && error.reason === "unreachable") return null;
    throw error;
  }
  if (response.status === 200) return response;
  // Other origins do not always let a page read the header. The file's hash decides in any case.
  const range = response.headers.get("content-range");
  if (response.status === 206 && (range === null || range.startsWith(`bytes ${from}-`)))
    return response;
  await response.body?.cancel();
  return null;
}

async function* readBody(response: Response, url: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    if (cause instanceof Error && cause.name === "AbortError") throw cause;
    throw new ModelError("cut", `the connection to ${url} broke`, { cause });
  } finally {
    // When the caller stops early, nothing more is sent.
    await reader.cancel().catch(() => {});
  }
}
