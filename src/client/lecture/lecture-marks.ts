import { Signal } from "#client/lib/observable.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";
import type { ChangeMarksInput, Mark } from "#shared/lecture.ts";
import { marksPerChangeMax, noteMaxLength } from "#shared/limits.ts";
import { groupMarksByRow } from "#shared/row-groups.ts";
import type { TranscriptRow } from "./lecture-document.ts";

type MarkChanges = Omit<ChangeMarksInput, "lectureId">;

/** A lecture's marks, and which of them the server has not confirmed. */
export class LectureMarks {
  readonly list: Signal<readonly Mark[]>;
  /** Ids of marks that were changed or deleted since they were saved. */
  readonly #changedIds: Set<string>;

  /** `isStored`: the server has `marks`. */
  constructor(marks: readonly Mark[], isStored: boolean) {
    this.list = new Signal(marks);
    this.#changedIds = new Set(isStored ? [] : marks.map(({ id }) => id));
  }

  get hasChanges(): boolean {
    return this.#changedIds.size > 0;
  }

  put(mark: Mark): void {
    const note = mark.note.replaceAll("\0", "").trim().slice(0, noteMaxLength).toWellFormed();
    this.#changedIds.add(mark.id);
    this.list.set([...this.#listOthers(mark.id), { ...mark, note }]);
  }

  delete(id: string): void {
    this.#changedIds.add(id);
    this.list.set(this.#listOthers(id));
  }

  /** What the server has not confirmed, as much as one call may carry; null without changes. */
  getChanges(): MarkChanges | null {
    if (!this.hasChanges) return null;
    const ids = new Set([...this.#changedIds].slice(0, marksPerChangeMax));
    const marks = this.list.get().filter(({ id }) => ids.has(id));
    for (const { id } of marks) ids.delete(id);
    return { marks, deletedIds: [...ids] };
  }

  /** The server has `saved`. What changed again meanwhile is still to be saved. */
  confirm(saved: MarkChanges): void {
    const current = this.list.get();
    for (const mark of saved.marks) if (current.includes(mark)) this.#changedIds.delete(mark.id);
    for (const id of saved.deletedIds)
      if (!current.some((mark) => mark.id === id)) this.#changedIds.delete(id);
  }

  /** Takes over what another tab or device has saved; what was changed here goes first. */
  merge(stored: readonly Mark[]): void {
    const isChanged = ({ id }: Mark) => this.#changedIds.has(id);
    this.list.set([
      ...stored.filter((mark) => !isChanged(mark)),
      ...this.list.get().filter(isChanged),
    ]);
  }

  /** Drops what is not saved: the lecture was closed or deleted. */
  dropChanges(): void {
    this.#changedIds.clear();
  }

  #listOthers(id: string): Mark[] {
    return this.list.get().filter((mark) => mark.id !== id);
  }
}

/** The marked ones of `rows`, in their order, once for each mark. */
export function listMarkedSentences(
  marks: readonly Mark[],
  rows: readonly TranscriptRow[],
): MarkedSentence[] {
  const groups = groupMarksByRow(marks, rows);
  return rows.flatMap(({ position, original }) =>
    (groups.get(position) ?? []).map(({ note }) => ({ sentence: original, note })),
  );
}
