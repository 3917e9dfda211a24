/** The directory of a ZIP. Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 to 4.5. */

/**
 * `kind`: no ZIP. `broken`: damaged, incomplete, or packed in a way that is rare. `encrypted`: the file in it needs a
 * password. `unsafe`: what no honest ZIP has, such as files that share bytes, or more than the bounds.
 */
export type ArchiveProblem = "kind" | "broken" | "encrypted" | "unsafe";

export class ArchiveError extends Error {
  override readonly name = "ArchiveError";

  constructor(readonly problem: ArchiveProblem) {
    super(problem);
  }
}

/** What the directory says of a file. */
export interface ArchiveEntry {
  isPacked: boolean;
  isEncrypted: boolean;
  crc32: number;
  packedBytes: number;
  bytes: number;
  /** Where its header begins in the ZIP. */
  offset: number;
}

const fileMark = 0x04034b50;
const entryMark = 0x02014b50;
const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const fileHeaderBytes = 30;
const entryHeaderBytes = 46;
const endBytes = 22;
const end64Bytes = 56;
const locator64Bytes = 20;
const commentMaxBytes = 0xffff;
/** Of the directory, which is read at once: 100,000 files with long names. */
const directoryMaxBytes = 64 * 1024 * 1024;
/** In place of a number that has 64 bits elsewhere. */
const elsewhere32 = 0xffffffff;
const elsewhere16 = 0xffff;
const extra64 = 1;
const encryptedFlag = 1;
const storedMethod = 0;
const deflateMethod = 8;

/** One that leaves its folder, or that begins at a root. */
const unsafePath = /^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/;

async function readView(zip: Blob, from: number, bytes: number): Promise<DataView<ArrayBuffer>> {
  const view = new DataView(await zip.slice(from, from + bytes).arrayBuffer());
  if (view.byteLength < bytes) throw new ArchiveError("broken");
  return view;
}

const toNumber = (value: bigint): number => {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ArchiveError("broken");
  return Number(value);
};

/**
 * The files of a ZIP by their paths, without folders.
 *
 * @throws ArchiveError `kind`, `broken`, `unsafe`
 */
export async function readDirectory(
  zip: Blob,
  entriesMax: number,
): Promise<Map<string, ArchiveEntry>> {
  const beginning = await zip.slice(0, 4).arrayBuffer();
  const mark = beginning.byteLength < 4 ? 0 : new DataView(beginning).getUint32(0, true);
  if (mark !== fileMark && mark !== endMark) throw new ArchiveError("kind");
  const { count, from, bytes } = await findDirectory(zip);
  if (count > entriesMax || bytes > directoryMaxBytes) throw new ArchiveError("unsafe");
  const view = await readView(zip, from, bytes);
  const entries = new Map<string, ArchiveEntry>();
  const places: { start: number; end: number }[] = [];
  for (let at = 0, index = 0; index < count; index += 1) {
    const { path, entry, next } = readEntry(view, at);
    at = next;
    if (entries.has(path) || unsafePath.test(path)) throw new ArchiveError("unsafe");
    places.push({ start: entry.offset, end: entry.offset + fileHeaderBytes + entry.packedBytes });
    if (!path.endsWith("/")) entries.set(path, entry);
  }
  places.sort((a, b) => a.start - b.start);
  for (const [index, { end }] of places.entries()) {
    const next = places[index + 1]?.start ?? from;
    if (end > next) throw new ArchiveError(end > from ? "broken" : "unsafe");
  }
  return entries;
}

/** Where the directory lies, and how many entries it has. */
async function findDirectory(zip: Blob): Promise<{ count: number; from: number; bytes: number }> {
  const tailFrom = Math.max(0, zip.size - endBytes - commentMaxBytes);
  const tail = await readView(zip, tailFrom, zip.size - tailFrom);
  let at = tail.byteLength - endBytes;
  for (; at >= 0; at -= 1) {
    const isEnd = tail.getUint32(at, true) === endMark;
    if (isEnd && at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength) break;
  }
  if (at < 0) throw new ArchiveError("broken");
  const endAt = tailFrom + at;
  let count = tail.getUint16(at + 10, true);
  let bytes = tail.getUint32(at + 12, true);
  let from = tail.getUint32(at + 16, true);
  if (count === elsewhere16 || bytes === elsewhere32 || from === elsewhere32) {
    const locator = await readView(zip, Math.max(0, endAt - locator64Bytes), locator64Bytes);
    if (locator.getUint32(0, true) !== locator64Mark) throw new ArchiveError("broken");
    const end64 = await readView(zip, toNumber(locator.getBigUint64(8, true)), end64Bytes);
    if (end64.getUint32(0, true) !== end64Mark) throw new ArchiveError("broken");
    count = toNumber(end64.getBigUint64(32, true));
    bytes = toNumber(end64.getBigUint64(40, true));
    from = toNumber(end64.getBigUint64(48, true));
  }
  if (from + bytes > endAt || count * entryHeaderBytes > bytes) throw new ArchiveError("broken");
  return { count, from, bytes };
}

function readEntry(view: DataView<ArrayBuffer>, at: number) {
  if (at + entryHeaderBytes > view.byteLength || view.getUint32(at, true) !== entryMark)
    throw new ArchiveError("broken");
  const nameAt = at + entryHeaderBytes;
  const extraAt = nameAt + view.getUint16(at + 28, true);
  const commentAt = extraAt + view.getUint16(at + 30, true);
  const next = commentAt + view.getUint16(at + 32, true);
  if (next > view.byteLength) throw new ArchiveError("broken");
  const path = decodeName(new Uint8Array(view.buffer, nameAt, extraAt - nameAt));
  const method = view.getUint16(at + 10, true);
  const entry: ArchiveEntry = {
    isPacked: method !== storedMethod,
    isEncrypted: (view.getUint16(at + 8, true) & encryptedFlag) !== 0,
    crc32: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  readExtra64(view, { from: extraAt, to: commentAt }, entry);
  if (method !== storedMethod && method !== deflateMethod && !entry.isEncrypted)
    throw new ArchiveError("broken");
  return { path, entry, next };
}

/** Takes the numbers of 64 bits, which come in this order and only where they are needed. */
function readExtra64(
  view: DataView,
  { from, to }: { from: number; to: number },
  entry: ArchiveEntry,
) {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== extra64) continue;
    let valueAt = at + 4;
    for (const name of ["bytes", "packedBytes", "offset"] as const) {
      if (entry[name] !== elsewhere32) continue;
      if (valueAt + 8 > to) throw new ArchiveError("broken");
      entry[name] = toNumber(view.getBigUint64(valueAt, true));
      valueAt += 8;
    }
  }
}

/** UTF-8, whatever the flag for it says; older programs write other encodings. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/** Where the bytes of the file begin whose header is at `offset`. @throws ArchiveError `broken` */
export async function readEntryStart(zip: Blob, offset: number): Promise<number> {
  const header = await readView(zip, offset, fileHeaderBytes);
  if (header.getUint32(0, true) !== fileMark) throw new ArchiveError("broken");
  return offset + fileHeaderBytes + header.getUint16(26, true) + header.getUint16(28, true);
}
