import type { RestoreLectureInput } from "#shared/backup.ts";
import type { Lecture } from "#shared/lecture.ts";

/** Bytes of the rows of one part, far below the limit of one request. */
const partMaxBytes = 1024 * 1024;

type Part = Pick<RestoreLectureInput, "from" | "entries" | "marks" | "takes">;
const startPart = (from: number): Part => ({ from, entries: [], marks: [], takes: [] });

/** The calls that store a lecture: most are one. */
export function splitLecture({
  entries,
  marks,
  takes,
  ...lecture
}: Lecture): RestoreLectureInput[] {
  const encoder = new TextEncoder();
  const parts: Part[] = [];
  let part = startPart(0);
  let bytes = 0;
  /** The part to which `row` is to be added. */
  const makeRoom = (row: unknown): Part => {
    const size = encoder.encode(JSON.stringify(row)).byteLength;
    if (bytes > 0 && bytes + size > partMaxBytes) {
      parts.push(part);
      part = startPart(part.from + part.entries.length);
      bytes = 0;
    }
    bytes += size;
    return part;
  };
  for (const entry of entries) makeRoom(entry).entries.push(entry);
  for (const mark of marks) makeRoom(mark).marks.push(mark);
  for (const take of takes) makeRoom(take).takes.push(take);
  parts.push(part);
  return parts.map((one, index) => ({
    lecture,
    ...one,
    isFirst: index === 0,
    isLast: index === parts.length - 1,
  }));
}
