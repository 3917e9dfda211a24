import type { slideTypes } from "#shared/slides.ts";

export interface PictureFormat {
  type: (typeof slideTypes)[number];
  /** In pixels. */
  width: number;
  height: number;
}

/** The format of a picture, as its own first bytes say; null for anything else, and for one that moves. */
export function readPictureFormat(bytes: Uint8Array): PictureFormat | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const readers = [readPng, readJpeg, readWebp];
  try {
    for (const read of readers) {
      const format = read(view);
      if (format && format.width > 0 && format.height > 0) return format;
    }
  } catch (error) {
    // It ends before its size.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

const isText = (view: DataView, at: number, text: string): boolean =>
  Array.from(text).every((character, n) => view.getUint8(at + n) === character.charCodeAt(0));

/** The signature, then the chunk IHDR (PNG, third edition, 5.2 and 11.2.1). */
function readPng(view: DataView): PictureFormat | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  if (!isText(view, 12, "IHDR")) return null;
  return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** Segments with their lengths, up to the one of a frame: SOF0 to SOF15 without DHT, JPG and DAC (ITU T.81, B.1.1.3). */
function readJpeg(view: DataView): PictureFormat | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return {
        type: "image/jpeg",
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
      };
    const isFill = marker === 0xff;
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** One frame: lossy, lossless or with an extended header (RFC 9649, 2.4 to 2.7). */
function readWebp(view: DataView): PictureFormat | null {
  if (!isText(view, 0, "RIFF") || !isText(view, 8, "WEBP")) return null;
  const type = "image/webp";
  if (isText(view, 12, "VP8 ")) {
    const size = { width: view.getUint16(26, true), height: view.getUint16(28, true) };
    return { type, width: size.width & 0x3fff, height: size.height & 0x3fff };
  }
  if (isText(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!isText(view, 12, "VP8X")) return null;
  const isAnimated = (view.getUint8(20) & 0x02) !== 0;
  if (isAnimated) return null;
  const width = view.getUint16(24, true) + (view.getUint8(26) << 16) + 1;
  const height = view.getUint16(27, true) + (view.getUint8(29) << 16) + 1;
  return { type, width, height };
}
