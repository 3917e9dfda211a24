/** A part of a track that a player plays, ms. */
export interface Edit {
  /** Where it begins in what the track has; null: it is silence. */
  mediaMs: number | null;
  lengthMs: number;
}

/** Larger tables are of no file that is read. */
const tablesMaxBytes = 64 * 1024 ** 2;
/** No editor has as many. */
const editsMax = 10_000;
/** Seconds from 1904, from which these files count, to 1970. */
const epochSeconds = 2_082_844_800;
/** Devices without a clock begin with a year before. */
const earliestMs = Date.UTC(1990, 0);

/** When an MP4 or QuickTime file says that it was recorded, ms since the epoch; null: it does not, or is another file. */
export async function readRecordingTime(file: Blob): Promise<number | null> {
  const tables = await readTables(file);
  const header = tables && findBox(tables, "mvhd");
  if (header === null || header.byteLength < 12) return null;
  const seconds = header.getUint8(0) === 1 ? Number(header.getBigUint64(4)) : header.getUint32(4);
  const recordedMs = (seconds - epochSeconds) * 1_000;
  return recordedMs >= earliestMs ? recordedMs : null;
}

/** The edit lists of an MP4 or QuickTime file (ISO/IEC 14496-12, 8.6.6) by the ids of its tracks; empty for other files. */
export async function readEditLists(file: Blob): Promise<ReadonlyMap<number, readonly Edit[]>> {
  const lists = new Map<number, readonly Edit[]>();
  const tables = await readTables(file);
  if (tables === null) return lists;
  const movieScale = readScale(findBox(tables, "mvhd"));
  for (const track of listBoxes(tables).filter(({ type }) => type === "trak")) {
    const header = findBox(track.content, "tkhd");
    const list = findBox(track.content, "edts", "elst");
    const scale = readScale(findBox(track.content, "mdia", "mdhd"));
    if (header === null || list === null || scale === null || movieScale === null) continue;
    const idAt = header.getUint8(0) === 1 ? 20 : 12;
    const edits = parseEdits(list, scale, movieScale);
    if (edits !== null && header.byteLength >= idAt + 4) lists.set(header.getUint32(idAt), edits);
  }
  return lists;
}

async function readTables(file: Blob): Promise<DataView | null> {
  for (let at = 0; at + 8 <= file.size; ) {
    const header = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const box = readBoxHeader(header, 0, file.size - at);
    if (box === null || (at === 0 && !/^(?:ftyp|moov|wide|free|skip|mdat|pnot)$/.test(box.type)))
      return null;
    if (box.type === "moov" && box.size <= tablesMaxBytes)
      return new DataView(await file.slice(at + box.headerSize, at + box.size).arrayBuffer());
    at += box.size;
  }
  return null;
}

/** Null: there is no whole one. `room`: bytes from `at` on. */
function readBoxHeader(view: DataView, at: number, room: number) {
  if (at + 8 > view.byteLength) return null;
  const type = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at + 4, 4));
  const short = view.getUint32(at);
  if (short === 1 && at + 16 > view.byteLength) return null;
  const headerSize = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? room : short;
  return size < headerSize || size > room ? null : { type, size, headerSize };
}

function listBoxes(view: DataView): { type: string; content: DataView }[] {
  const boxes: { type: string; content: DataView }[] = [];
  for (let at = 0; ; ) {
    const box = readBoxHeader(view, at, view.byteLength - at);
    if (box === null) return boxes;
    const { type, size, headerSize } = box;
    const from = view.byteOffset + at + headerSize;
    boxes.push({ type, content: new DataView(view.buffer, from, size - headerSize) });
    at += size;
  }
}

/** The content of the first box of this path. */
function findBox(view: DataView, ...path: readonly string[]): DataView | null {
  let found: DataView | null = view;
  for (const type of path)
    found = (found && listBoxes(found).find((box) => box.type === type)?.content) ?? null;
  return found;
}

/** Units of a second, of a header of a movie or a media. */
function readScale(header: DataView | null): number | null {
  if (header === null || header.byteLength < 24) return null;
  return header.getUint32(header.getUint8(0) === 1 ? 20 : 12) || null;
}

/** Null: it has another speed somewhere, is no list, or one without end. */
function parseEdits(list: DataView, mediaScale: number, movieScale: number): Edit[] | null {
  if (list.byteLength < 8) return null;
  const isLong = list.getUint8(0) === 1;
  const entryBytes = isLong ? 20 : 12;
  const count = Math.min(list.getUint32(4), Math.floor((list.byteLength - 8) / entryBytes));
  if (count > editsMax) return null;
  const edits: Edit[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = 8 + index * entryBytes;
    const length = isLong ? Number(list.getBigUint64(at)) : list.getUint32(at);
    const media = isLong ? Number(list.getBigInt64(at + 8)) : list.getInt32(at + 4);
    if (media >= 0 && list.getUint32(at + entryBytes - 4) !== 0x1_0000) return null;
    edits.push({
      mediaMs: media < 0 ? null : (media * 1_000) / mediaScale,
      lengthMs: (length * 1_000) / movieScale,
    });
  }
  return edits;
}
