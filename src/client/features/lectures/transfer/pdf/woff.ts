const headerBytes = { woff: 44, sfnt: 12 };
const entryBytes = { woff: 20, sfnt: 16 };
const signature = 0x774f4646;

/** Tables begin at multiples of four. */
const aligned = (offset: number) => (offset + 3) & ~3;

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The TrueType font that a WOFF file holds. The browser inflates it: the inflater in fontkit gives up on
 * some of these files.
 *
 * @throws when the file is no WOFF, or is broken.
 */
export async function fromWoff(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== signature) throw new Error("Not a WOFF file");
  const count = view.getUint16(12);
  const tables = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const at = headerBytes.woff + index * entryBytes.woff;
      const offset = view.getUint32(at + 4);
      const packed = file.subarray(offset, offset + view.getUint32(at + 8));
      const length = view.getUint32(at + 12);
      const data = packed.byteLength < length ? await inflated(packed) : packed;
      return { tag: view.getUint32(at), checksum: view.getUint32(at + 16), data };
    }),
  );
  let offset = headerBytes.sfnt + count * entryBytes.sfnt;
  const size = tables.reduce((sum, { data }) => sum + aligned(data.byteLength), offset);
  const font = new Uint8Array(size);
  const out = new DataView(font.buffer);
  const power = Math.floor(Math.log2(count));
  out.setUint32(0, view.getUint32(4));
  out.setUint16(4, count);
  out.setUint16(6, 16 * 2 ** power);
  out.setUint16(8, power);
  out.setUint16(10, 16 * (count - 2 ** power));
  tables.forEach(({ tag, checksum, data }, index) => {
    const at = headerBytes.sfnt + index * entryBytes.sfnt;
    out.setUint32(at, tag);
    out.setUint32(at + 4, checksum);
    out.setUint32(at + 8, offset);
    out.setUint32(at + 12, data.byteLength);
    font.set(data, offset);
    offset += aligned(data.byteLength);
  });
  return font;
}
