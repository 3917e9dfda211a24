/** The format chunk and what recorders put before the samples lie in so many bytes. */
const headBytes = 65_536;
/** Of less, what lies behind the end that a file gives is no sound. */
const restMinBytes = 65_536;

/**
 * `file`, or, if it is a WAV file whose lengths were never written, because its recorder was cut off, the same with lengths
 * that reach to its end.
 */
export async function repairWav(file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const view = new DataView(head.buffer);
  const is64 = readTag(head, 0) === "RF64";
  if ((!is64 && readTag(head, 0) !== "RIFF") || readTag(head, 8) !== "WAVE") return file;
  let at = 12;
  let sizes: number | null = null;
  while (at + 8 <= head.length && readTag(head, at) !== "data") {
    if (is64 && readTag(head, at) === "ds64") sizes = at + 8;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  if (at + 8 > head.length || (is64 && (sizes === null || sizes + 16 > head.length))) return file;
  const dataAt = at + 8;
  const read = (place: number) =>
    sizes === null ? view.getUint32(place, true) : Number(view.getBigUint64(place, true));
  const write = (place: number, value: number) => {
    if (sizes === null) view.setUint32(place, Math.min(value, 0xffff_ffff), true);
    else view.setBigUint64(place, BigInt(value), true);
  };
  const fileSizeAt = sizes ?? 4;
  const dataSizeAt = sizes === null ? at + 4 : sizes + 8;
  const endAt = dataAt + read(dataSizeAt);
  const fileEndAt = read(fileSizeAt) + 8;
  // Chunks behind the samples begin with their names.
  const goesOn =
    file.size - endAt >= restMinBytes &&
    !/^[\w ]{4}$/.test(
      readTag(new Uint8Array(await file.slice(endAt, endAt + 4).arrayBuffer()), 0),
    );
  const isWritten = endAt > dataAt && !goesOn;
  if (isWritten && fileEndAt >= Math.min(endAt, file.size)) return file;
  if (!isWritten) write(dataSizeAt, file.size - dataAt);
  write(fileSizeAt, file.size - 8);
  return new Blob([head, file.slice(headBytes)]);
}

const readTag = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));
