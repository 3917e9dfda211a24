/** What pdf.js may make of a file. */
export interface UnpackingBounds {
  /** Bytes of one stream, and of all streams while the file is read. */
  streamMaxBytes: number;
  allMaxBytes: number;
  /** The same of a small file, beside `ratioMax` for each byte of the file. */
  freeBytes: number;
}

/** Bytes of a stream for each byte of the file. */
const ratioMax = 100;

/**
 * Bounds what pdf.js unpacks. It has no bounds of its own: it takes whatever the browser unpacks of a stream, and its own
 * decoders write into arrays that double. So in the worker the one is taken from it, and the size of new arrays is counted.
 *
 * @param fileBytes size of the PDF file
 */
export function boundUnpacking(
  fileBytes: number,
  { streamMaxBytes, allMaxBytes, freeBytes }: UnpackingBounds,
) {
  const { Uint8Array: Bytes, DecompressionStream: Stream } = globalThis;
  // The file itself may be copied.
  const maxBytes = Math.max(fileBytes, Math.min(streamMaxBytes, freeBytes + ratioMax * fileBytes));
  let allBytes = 0;
  let isExceeded = false;
  globalThis.Uint8Array = new Proxy(Bytes, {
    construct(target, parameters, newTarget) {
      const [bytes] = parameters;
      if (typeof bytes === "number") {
        allBytes += bytes;
        isExceeded ||= bytes > maxBytes || allBytes > allMaxBytes;
        if (isExceeded) throw new RangeError("The file unpacks to too much");
      }
      return Reflect.construct(target, parameters, newTarget);
    },
  });
  globalThis.DecompressionStream = class {
    constructor() {
      throw new TypeError("pdf.js has a decoder of its own");
    }
  } as unknown as typeof DecompressionStream;
  return {
    get isExceeded(): boolean {
      return isExceeded;
    },
    end(): void {
      globalThis.Uint8Array = Bytes;
      globalThis.DecompressionStream = Stream;
    },
  };
}
