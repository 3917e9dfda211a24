import { isPublicUrl } from "#server/public-url.ts";
import {
  mediaMaxBytes,
  redirectsMax,
  remoteAddressMaxLength,
  remoteTextMaxBytes,
} from "#shared/limits.ts";
import { type Pace, readPaced, readStart, withinTime } from "#shared/read-paced.ts";
import {
  checkStatus,
  describeRemoteFile,
  listRangeHeaders,
  type RemoteFile,
  RemoteFileError,
  type RemoteFileInput,
  startBytes,
} from "#shared/remote-file.ts";
import type { IsPublicName } from "./public-names.ts";

/** Until the head of an answer has come, with each redirect. */
const headTimeoutMs = 15_000;
/** Whoever is slower, the site or the reader, does not keep a connection for long. */
const usualPace: Pace = {
  silenceMs: 20_000,
  windowMs: 30_000,
  windowBytes: 128 * 1024,
  totalMs: 3_600_000,
};
const pieceBytes = 64 * 1024;

interface Options {
  /** Null where it is not known. */
  siteOrigin: string | null;
  isPublicName: IsPublicName;
  /** Addresses that begin so are fetched as well: those of the embedded stack's stand-in for other sites. */
  standInPrefix: string | null;
  /** Where it can, the runtime lets this one reach public addresses alone. */
  fetch?: typeof fetch;
  pace?: Pace;
  headMs?: number;
}

export interface OpenRemoteFile {
  file: RemoteFile;
  /** Gives no more bytes than a file of its kind may have; of a text, no more than are read. */
  pieces: AsyncGenerator<Uint8Array, void>;
  /** Ends the request, whether or not all pieces were taken. */
  close(): void;
}

export type OpenRemote = (input: RemoteFileInput) => Promise<OpenRemoteFile>;

/** Fetches files of other sites for the page: without cookies and credentials, and from public addresses alone. */
export function createRemoteFiles({
  siteOrigin,
  isPublicName,
  standInPrefix,
  fetch: run = (...request) => fetch(...request),
  pace = usualPace,
  headMs = headTimeoutMs,
}: Options): OpenRemote {
  /** @throws RemoteFileError */
  async function checkAddress({ href, hostname }: URL): Promise<void> {
    if (standInPrefix !== null && href.startsWith(standInPrefix)) return;
    if (!isPublicUrl(href, siteOrigin)) throw new RemoteFileError("address");
    const isPublic = await isPublicName(hostname);
    if (isPublic === false) throw new RemoteFileError("address");
    if (isPublic === null) throw new RemoteFileError("notReached");
  }

  async function follow(input: RemoteFileInput, signal: AbortSignal) {
    const headers = {
      accept:
        "audio/*, video/*, application/rss+xml, application/atom+xml, text/html;q=0.8, */*;q=0.5",
      // What is packed small may be large.
      "accept-encoding": "identity",
      "user-agent": "Dualect-Import",
      ...listRangeHeaders(input),
    };
    let url = URL.parse(input.address);
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      if (url === null || url.href.length > remoteAddressMaxLength)
        throw new RemoteFileError(redirects === 0 ? "address" : "redirects");
      await checkAddress(url);
      const response = await run(url.href, { headers, redirect: "manual", signal });
      if (![301, 302, 303, 307, 308].includes(response.status)) return { response, url };
      await response.body?.cancel();
      url = URL.parse(response.headers.get("location") ?? "", url.href);
    }
    throw new RemoteFileError("redirects");
  }

  return async (input) => {
    const ending = new AbortController();
    const close = () => ending.abort();
    try {
      const { response, url } = await withinTime(
        follow(input, ending.signal),
        headMs,
        "notReached",
      );
      const { status, headers, body } = response;
      checkStatus(status, input.from);
      const pieces = readPaced(createReader(body), { maxBytes: mediaMaxBytes, pace });
      const { start, rest } = await readStart(pieces, status === 206 ? 0 : startBytes);
      const file = describeRemoteFile(
        { status, headers, url: url.href },
        { from: input.from, start },
      );
      const isText = file.kind === "text";
      if (!isText && (file.size ?? 0) > mediaMaxBytes) throw new RemoteFileError("tooLarge");
      return {
        file,
        // What is longer fails before; a text is just not read to its end.
        pieces: limitPieces(start, rest, isText ? remoteTextMaxBytes : Infinity),
        close,
      };
    } catch (failure) {
      close();
      throw failure instanceof RemoteFileError ? failure : new RemoteFileError("notReached");
    }
  };
}

/** Reads a body by large pieces: each one costs time, and the runtime's own have 4 KiB. */
function createReader(body: ReadableStream<Uint8Array> | null) {
  const reader = body?.getReader({ mode: "byob" });
  return async (): Promise<Uint8Array | null> => {
    if (!reader) return null;
    const { done, value } = await reader.read(new Uint8Array(pieceBytes));
    return done || value === undefined ? null : value;
  };
}

async function* limitPieces(
  start: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let left = maxBytes;
  const take = (piece: Uint8Array) => {
    const taken = piece.subarray(0, left);
    left -= taken.byteLength;
    return taken;
  };
  yield take(start);
  while (left > 0) {
    const { done, value } = await rest.next();
    if (done) return;
    yield take(value);
  }
}
