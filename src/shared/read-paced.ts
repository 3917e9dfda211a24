import { RemoteFileError } from "./remote-file.ts";

/** How slow an answer may be. */
export interface Pace {
  /** Longest time without a byte. */
  silenceMs: number;
  /** In each `windowMs`, so many bytes come at least. */
  windowMs: number;
  windowBytes: number;
  totalMs: number;
}

/** `promise`, unless it takes longer than `ms`; otherwise throws RemoteFileError `problem`. */
export async function withinTime<T>(
  promise: Promise<T>,
  ms: number,
  problem: "slow" | "notReached",
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RemoteFileError(problem)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The pieces that `read` gives until it gives null. The time in which they are not asked for counts as well.
 *
 * @throws RemoteFileError `slow`, `tooLarge`; what `read` throws
 */
export async function* readPaced(
  read: () => Promise<Uint8Array | null>,
  { maxBytes, pace, now = Date.now }: { maxBytes: number; pace: Pace; now?: () => number },
): AsyncGenerator<Uint8Array, void> {
  const startedAt = now();
  let bytes = 0;
  let window = { from: startedAt, bytes: 0 };
  for (;;) {
    const piece = await withinTime(read(), pace.silenceMs, "slow");
    if (piece === null) return;
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw new RemoteFileError("tooLarge");
    const at = now();
    window.bytes += piece.byteLength;
    if (at - startedAt > pace.totalMs) throw new RemoteFileError("slow");
    if (at - window.from >= pace.windowMs) {
      if (window.bytes < pace.windowBytes) throw new RemoteFileError("slow");
      window = { from: at, bytes: 0 };
    }
    yield piece;
  }
}

/** The first pieces, joined, until there are `count` bytes; `rest` goes on behind them. */
export async function readStart(pieces: AsyncGenerator<Uint8Array, void>, count: number) {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < count) {
    const { done, value } = await pieces.next();
    if (done) break;
    parts.push(value);
    bytes += value.byteLength;
  }
  const start = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    start.set(part, at);
    at += part.byteLength;
  }
  return { start, rest: pieces };
}
