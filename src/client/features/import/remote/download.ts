import { ApiError } from "#client/lib/call-server.ts";
import { browserClock, type Clock } from "#client/lib/clock.ts";
import { pause } from "#client/lib/timeouts-and-retries.ts";
import { isErrorCode } from "#shared/errors.ts";
import { type Backoff, getBackoffMs, mediaMaxBytes, remoteTextMaxBytes } from "#shared/limits.ts";
import { type Pace, readPaced, readStart, withinTime } from "#shared/read-paced.ts";
import {
  checkStatus,
  describeRemoteFile,
  listRangeHeaders,
  type RemoteFile,
  RemoteFileError,
  type RemoteFileInput,
  remoteFile,
  remoteFileHeader,
  remoteFilePath,
  remoteRefusal,
  remoteRefusalStatus,
  startBytes,
} from "#shared/remote-file.ts";

/** Fetches a file of another site: by itself where that site lets it, otherwise through the server. */

interface Answer {
  file: RemoteFile;
  pieces: AsyncGenerator<Uint8Array, void>;
}

/** @throws RemoteFileError; ApiError where the server refuses */
export type Way = (input: RemoteFileInput) => Promise<Answer>;

interface Downloaded {
  file: RemoteFile;
  /** A text's beginning, if it is longer than `remoteTextMaxBytes`. */
  content: Blob;
}

/** A connection may be slow, and the page waits as long as the person does. */
const pace: Pace = { silenceMs: 30_000, windowMs: 60_000, windowBytes: 1, totalMs: Infinity };
const headTimeoutMs = 20_000;
/** The server waits for the other site. */
const serverTimeoutMs = 40_000;
/** Lost connections in a row, with less than `progressBytes` between them, after which it is given up. */
const lossesMax = 5;
const progressBytes = 1024 ** 2;
const backoff: Backoff = { firstMs: 1_000, maxMs: 8_000 };
/** Browsers keep a `Blob` on disk, and its pieces in memory. */
const blobBytes = 4 * 1024 ** 2;

/** The other site alone, without cookies. It knows neither who asks nor from which page. */
export const fetchDirectly: Way = async (input) => {
  const { range } = listRangeHeaders(input);
  const response = await send(
    input.address,
    // Another header would make the browser ask the site first, and few sites expect that.
    { credentials: "omit", referrerPolicy: "no-referrer", ...(range && { headers: { range } }) },
    headTimeoutMs,
  );
  const { status, body } = response;
  checkStatus(status, input.from);
  const isRest = status === 206;
  const { start, rest } = await readStart(readBody(body), isRest ? 0 : startBytes);
  const file = describeRemoteFile(response, { from: input.from, start });
  return { file, pieces: joinPieces(start, rest) };
};

/** Through the server, which has bounds of its own. */
export const fetchByServer: Way = async (input) => {
  const response = await send(
    remoteFilePath,
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    },
    serverTimeoutMs,
  );
  if (!response.ok) throw await readRefusal(response);
  const file = remoteFile.safeParse(readHeader(response.headers.get(remoteFileHeader)));
  if (!file.success) throw new ApiError("unavailable", true);
  return { file: file.data, pieces: readBody(response.body) };
};

/** @throws RemoteFileError `notReached`, also where the browser forbids it */
async function send(address: string, init: RequestInit, ms: number): Promise<Response> {
  const ending = new AbortController();
  try {
    return await withinTime(fetch(address, { ...init, signal: ending.signal }), ms, "notReached");
  } catch {
    ending.abort();
    throw new RemoteFileError("notReached");
  }
}

function readHeader(text: string | null): unknown {
  try {
    return JSON.parse(decodeURIComponent(text ?? ""));
  } catch {
    return null;
  }
}

async function readRefusal(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => null);
  if (response.status === remoteRefusalStatus) {
    const refusal = remoteRefusal.safeParse(body);
    return new RemoteFileError(refusal.success ? refusal.data.problem : "refused");
  }
  const error = (body as { error?: { code?: unknown; retryAfterSeconds?: number } } | null)?.error;
  const code = isErrorCode(error?.code) ? error.code : "unavailable";
  const seconds = error?.retryAfterSeconds;
  return new ApiError(code, false, seconds === undefined ? {} : { retryAfterSeconds: seconds });
}

function readBody(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  const read = async () => (await reader?.read())?.value ?? null;
  return readPaced(read, { maxBytes: mediaMaxBytes, pace });
}

async function* joinPieces(
  start: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  yield start;
  yield* rest;
}

interface DownloadOptions {
  /** Tried one after the other, until one reaches the file. */
  ways: readonly Way[];
  /** `size` null: the site does not say. */
  onProgress: (bytes: number, size: number | null) => void;
  clock?: Clock;
}

/**
 * Fetches `address`. After a lost connection it asks for the rest, or for all of it where the site gives no rest.
 *
 * @throws RemoteFileError; ApiError where the server refuses
 */
export async function download(
  address: string,
  { ways, onProgress, clock = browserClock }: DownloadOptions,
): Promise<Downloaded> {
  const content = new Content();
  let answer = await openFirst(ways, { address, from: 0, validator: null });
  const { file } = answer;
  let losses = 0;
  let furthest = 0;

  async function openRest(): Promise<Answer> {
    if (content.bytes - furthest > progressBytes) losses = 0;
    furthest = Math.max(furthest, content.bytes);
    for (; losses < lossesMax; losses += 1) {
      await pause(clock, getBackoffMs(backoff, losses));
      const wanted = { address: file.address, from: content.bytes, validator: file.validator };
      const rest = await openFirst(ways, wanted).catch(ignoreLoss);
      if (rest === null) continue;
      const isRest = rest.file.from > 0;
      if (isRest && rest.file.size !== file.size) throw new RemoteFileError("broken");
      if (!isRest) content.clear();
      losses += 1;
      return rest;
    }
    throw new RemoteFileError("broken");
  }

  while (!(await take(answer, content, onProgress))) answer = await openRest();
  return { file, content: content.end(file.type) };
}

/** @returns false if the connection was lost before the end */
async function take(
  { file, pieces }: Answer,
  content: Content,
  onProgress: DownloadOptions["onProgress"],
): Promise<boolean> {
  const maxBytes = file.kind === "text" ? remoteTextMaxBytes : mediaMaxBytes;
  if (file.kind === "media" && (file.size ?? 0) > maxBytes) throw new RemoteFileError("tooLarge");
  try {
    for await (const piece of pieces) {
      content.add(piece);
      if (content.bytes > maxBytes) break;
      onProgress(content.bytes, file.size);
    }
  } catch (failure) {
    ignoreLoss(failure);
    return false;
  }
  if (file.kind === "media" && content.bytes > maxBytes) throw new RemoteFileError("tooLarge");
  return true;
}

/** The answer of the first way that reaches the site. @throws what the last one has thrown */
async function openFirst(ways: readonly Way[], input: RemoteFileInput): Promise<Answer> {
  for (const [index, open] of ways.entries()) {
    try {
      return await open(input);
    } catch (failure) {
      const isRefused =
        failure instanceof RemoteFileError &&
        (failure.problem === "notReached" || failure.problem === "refused");
      if (!isRefused || index === ways.length - 1) throw failure;
    }
  }
  throw new RemoteFileError("address");
}

/** @throws `failure`, if the same would happen again */
function ignoreLoss(failure: unknown): null {
  const isLasting =
    failure instanceof RemoteFileError
      ? failure.problem !== "notReached" && failure.problem !== "slow"
      : failure instanceof ApiError && !failure.retryable;
  if (isLasting) throw failure;
  return null;
}

class Content {
  #blobs: Blob[] = [];
  #pieces: BlobPart[] = [];
  #pieceBytes = 0;
  bytes = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece as Uint8Array<ArrayBuffer>);
    this.#pieceBytes += piece.byteLength;
    this.bytes += piece.byteLength;
    if (this.#pieceBytes >= blobBytes) this.#pack();
  }

  clear(): void {
    this.#blobs = [];
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.bytes = 0;
  }

  end(type: string): Blob {
    this.#pack();
    return new Blob(this.#blobs, { type });
  }

  #pack(): void {
    this.#blobs.push(new Blob(this.#pieces));
    this.#pieces = [];
    this.#pieceBytes = 0;
  }
}
