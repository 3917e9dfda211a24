import { inflateSync } from "fflate";

/**
 * Reads single files of a ZIP of any size. fflate, which inflates them, reads a whole ZIP into memory, or one file after
 * another without knowing where those end that `client-zip` has written.
 *
 * Source: .ZIP File Format Specification (APPNOTE) 6.3.10.
 */

/**
 * `kind`: no backup. `broken`: damaged, or its end is missing. `unsafe`: what no backup has, such as a path that leaves its
 * folder, or more than a backup can hold. `version`: of a later version.
 */
export type BackupProblem = "kind" | "broken" | "unsafe" | "version";

export class BackupError extends Error {
  override readonly name = "BackupError";

  constructor(readonly problem: BackupProblem) {
    super(problem);
  }
}

export interface ZipEntry {
  method: number;
  checksum: number;
  packedBytes: number;
  bytes: number;
  /** Where its local header begins. */
  at: number;
}

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
const zip64Marks = { locator: 0x07064b50, end: 0x06064b50 };
const endBytes = 22;
const locatorBytes = 20;
const commentMaxBytes = 0xffff;
/** A field of 32 bits whose value is in the Zip64 extra field. */
const isElsewhere = (value: number) => value === 0xffff_ffff;
/** 20,000 lectures and their sound. */
const entriesMax = 200_000;
const directoryMaxBytes = 64 * 1024 * 1024;
/** One file that must be inflated in memory. */
const inflatedMaxBytes = 512 * 1024 * 1024;

const readView = async (file: Blob, from: number, to: number) =>
  new DataView(await file.slice(from, to).arrayBuffer());
const getInteger = (view: DataView, at: number) => Number(view.getBigUint64(at, true));

/**
 * The files in a ZIP, by path.
 *
 * @throws BackupError `kind`, `broken`, `unsafe`
 */
export async function listZip(file: Blob): Promise<Map<string, ZipEntry>> {
  const start = await readView(file, 0, 4);
  if (start.byteLength < 4 || ![marks.local, marks.end].includes(start.getUint32(0, true)))
    throw new BackupError("kind");
  try {
    const directory = await findDirectory(file);
    if (directory.entries > entriesMax || directory.bytes > directoryMaxBytes)
      throw new BackupError("unsafe");
    const view = await readView(file, directory.at, directory.at + directory.bytes);
    return readDirectory(view, directory.entries);
  } catch (failure) {
    throw failure instanceof RangeError ? new BackupError("broken") : failure;
  }
}

async function findDirectory(file: Blob) {
  const tailAt = Math.max(0, file.size - endBytes - commentMaxBytes);
  const tail = await readView(file, tailAt, file.size);
  let at = tail.byteLength - endBytes;
  const isEnd = () =>
    tail.getUint32(at, true) === marks.end &&
    at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength;
  while (at >= 0 && !isEnd()) at -= 1;
  if (at < 0) throw new BackupError("broken");
  const entries = tail.getUint16(at + 10, true);
  const bytes = tail.getUint32(at + 12, true);
  const offset = tail.getUint32(at + 16, true);
  if (entries !== 0xffff && !isElsewhere(bytes) && !isElsewhere(offset))
    return { entries, bytes, at: offset };
  const locator = at - locatorBytes;
  if (locator < 0 || tail.getUint32(locator, true) !== zip64Marks.locator)
    return { entries, bytes, at: offset };
  const endAt = getInteger(tail, locator + 8);
  const end = await readView(file, endAt, endAt + 56);
  if (end.getUint32(0, true) !== zip64Marks.end) throw new BackupError("broken");
  return { entries: getInteger(end, 32), bytes: getInteger(end, 40), at: getInteger(end, 48) };
}

function readDirectory(view: DataView, count: number): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== marks.central) throw new BackupError("broken");
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const nameAt = at + 46;
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + nameAt, nameBytes),
    );
    if (/^\/|\\|^[a-z]:|(?:^|\/)\.\.(?:\/|$)|\0/i.test(name)) throw new BackupError("unsafe");
    const entry = {
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    if (entries.has(name)) throw new BackupError("unsafe");
    entries.set(name, readZip64(view, nameAt + nameBytes, extraBytes, entry));
    at = nameAt + nameBytes + extraBytes + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The entry with those fields that are in its extra field, in the order of the specification. */
function readZip64(view: DataView, from: number, length: number, entry: ZipEntry): ZipEntry {
  for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let valueAt = at + 4;
    const read = (value: number) => {
      if (!isElsewhere(value)) return value;
      valueAt += 8;
      return getInteger(view, valueAt - 8);
    };
    const bytes = read(entry.bytes);
    const packedBytes = read(entry.packedBytes);
    return { ...entry, bytes, packedBytes, at: read(entry.at) };
  }
  return entry;
}

/**
 * The content of a file in a ZIP, which is whole. One that is not packed stays on the disk.
 *
 * @throws BackupError `broken`, `unsafe` if it has more than `maxBytes`
 */
export async function readZipEntry(zip: Blob, entry: ZipEntry, maxBytes: number): Promise<Blob> {
  const { at, method, packedBytes, bytes } = entry;
  if (bytes > maxBytes) throw new BackupError("unsafe");
  const header = await readView(zip, at, at + 30);
  if (header.byteLength < 30 || header.getUint32(0, true) !== marks.local)
    throw new BackupError("broken");
  const from = at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = zip.slice(from, from + packedBytes);
  const content = method === 0 ? packed : await inflate(packed, method, bytes);
  if (content.size !== bytes || (await getChecksum(content)) !== entry.checksum)
    throw new BackupError("broken");
  return content;
}

/** Never more than the `bytes` that the ZIP declares. */
async function inflate(packed: Blob, method: number, bytes: number): Promise<Blob> {
  if (method !== 8) throw new BackupError("broken");
  if (bytes > inflatedMaxBytes) throw new BackupError("unsafe");
  try {
    const out = new Uint8Array(bytes);
    return new Blob([inflateSync(new Uint8Array(await packed.arrayBuffer()), { out })]);
  } catch {
    throw new BackupError("broken");
  }
}

const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** CRC-32 of `content`, which may be large. */
async function getChecksum(content: Blob): Promise<number> {
  const partBytes = 1024 * 1024;
  let sum = -1;
  for (let from = 0; from < content.size; from += partBytes)
    for (const byte of new Uint8Array(await content.slice(from, from + partBytes).arrayBuffer()))
      sum = (sum >>> 8) ^ (checksums[(sum ^ byte) & 0xff] ?? 0);
  return ~sum >>> 0;
}
