import type { SavedRows, SaveRowsInput, TranscriptEntry } from "#shared/lecture.ts";

/** A lecture's rows as a server stores them. */
export interface StoredRows {
  /** In order. */
  entries: TranscriptEntry[];
  seq: number;
  /** The version with which a row was deleted, by its id. */
  deletedSeqs: Map<string, number>;
  /** Ordinals below it are not given to new rows. */
  reserved?: number;
}

const getContent = ({ seq: _, ordinal: _ordinal, ...content }: TranscriptEntry): string =>
  JSON.stringify(Object.entries(content).toSorted());

/** `lectures.saveRows` without limits. */
export function saveRows(
  lecture: StoredRows,
  { entries, deleted }: Pick<SaveRowsInput, "entries" | "deleted">,
): SavedRows {
  const rows = new Map(lecture.entries.map((entry) => [entry.id, entry]));
  const seq = lecture.seq + 1;
  const saved: SavedRows = { seq: lecture.seq, changed: [], deletedIds: [], ordinals: {} };
  for (const entry of entries) {
    const known = rows.get(entry.id);
    if (known !== undefined && getContent(known) === getContent(entry)) {
      if (known.ordinal !== entry.ordinal) saved.ordinals[entry.id] = known.ordinal;
      continue;
    }
    if (known !== undefined && known.seq > entry.seq) {
      saved.changed.push(known);
      continue;
    }
    const deletedSeq = lecture.deletedSeqs.get(entry.id) ?? (entry.seq === 0 ? 0 : Infinity);
    if (known === undefined && entry.seq < deletedSeq) {
      saved.deletedIds.push(entry.id);
      continue;
    }
    const isRestored = lecture.deletedSeqs.delete(entry.id);
    const others = new Set([...rows.values()].map(({ ordinal }) => ordinal));
    const { reserved = 0 } = lecture;
    const isTaken = others.has(entry.ordinal) || (entry.ordinal < reserved && !isRestored);
    const free = isTaken ? Math.max(reserved, ...[...others].map((one) => one + 1)) : entry.ordinal;
    const ordinal = known?.ordinal ?? free;
    rows.set(entry.id, { ...entry, seq, ordinal });
    if (ordinal !== entry.ordinal) saved.ordinals[entry.id] = ordinal;
    saved.seq = seq;
  }
  for (const { id, seq: knownSeq } of deleted) {
    const known = rows.get(id);
    if (known === undefined) continue;
    if (known.seq > knownSeq) saved.changed.push(known);
    else {
      rows.delete(id);
      lecture.deletedSeqs.set(id, seq);
      lecture.reserved = Math.max(lecture.reserved ?? 0, known.ordinal + 1);
      saved.seq = seq;
    }
  }
  lecture.seq = saved.seq;
  lecture.entries = [...rows.values()].sort(
    (a, b) => a.startMs - b.startMs || a.ordinal - b.ordinal,
  );
  return saved;
}
