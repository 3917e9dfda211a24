import { useMemo, useSyncExternalStore } from "react";
import type { LectureDocument, TranscriptView } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toast } from "#client/lib/notifications.ts";
import { Signal } from "#client/lib/observable.ts";
import type { Mark } from "#shared/lecture.ts";
import { groupMarksByRow } from "#shared/row-groups.ts";
import { readingDialogMessages } from "./dialog-messages/index.ts";

/** The transcript shows marked sentences only. */
export const markedOnly = new Signal(false);

export interface Marks {
  /** By the position of their row. */
  rows: ReadonlyMap<number, readonly Mark[]>;
  /** Of the sentence being spoken. */
  live: readonly Mark[];
  /** Of the sentence being spoken, or else of the last one. */
  current: readonly Mark[];
}

/** Deletes marks. Where that loses a note, a toast offers to undo it. */
export function deleteMarks(lecture: LectureDocument, marks: readonly Mark[]): void {
  const undos = marks.map((mark) => lecture.deleteMark(mark));
  if (marks.every(({ note }) => note === "")) return;
  const undo = () => {
    for (const restore of undos) restore();
  };
  toast({
    kind: "info",
    title: readingDialogMessages.t("marks.noteDeleted"),
    action: { label: readingDialogMessages.t("marks.undo"), run: undo },
  });
}

/** Start of the sentence being spoken, ms; null without one. A new word in it renders nothing. */
export const useLiveStart = ({ live }: TranscriptView): number | null =>
  useSyncExternalStore(live.subscribe, () => live.get()?.startMs ?? null);

/** The marks of a lecture by sentence. */
export function useMarks({ marks, transcript }: LectureDocument): Marks {
  const all = useValue(marks);
  const blocks = useValue(transcript.blocks);
  const liveStart = useLiveStart(transcript);
  return useMemo(() => {
    const isLive = ({ atMs, position }: Mark) =>
      liveStart !== null && position === null && atMs >= liveStart;
    const rowMarks = all.filter((mark) => !isLive(mark));
    const rows = rowMarks.length > 0 ? blocks.flatMap((block) => block.rows) : [];
    const groups = groupMarksByRow(rowMarks, rows);
    const live = all.filter(isLive);
    const last = groups.get(rows.length - 1) ?? [];
    return { rows: groups, live, current: liveStart === null ? last : live };
  }, [all, blocks, liveStart]);
}
