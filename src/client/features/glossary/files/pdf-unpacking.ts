/** Bytes that pdf.js may have of one stream, and of all streams of a file while it is read. */
const streamMaxBytes = 32 * 1024 * 1024;
const allMaxBytes = 1024 * 1024 * 1024;
/** The same of a small file: bytes of a stream for each byte of the file, beside those that are free. */
const ratioMax = 100;
const freeBytes = 2 * 1024 * 1024;

/**
 * Bounds what pdf.js unpacks. It has no bounds of its own: it takes whatever the browser unpacks of a stream, and its own
 * decoders write into arrays that double. So in the worker the one is taken from it, and the size of new arrays is counted.
 *
 * @param fileBytes size of the PDF file
 */
export function boundUnpacking(fileBytes: number) {
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
