import { useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { getStoredSummaryOpen, storeSummaryOpen } from "#client/state/preferences.ts";
import { readingDialogMessages } from "./dialog-messages/index.ts";

export const loadSummarySheet = () => import("./summary-sheet.tsx");
export const SummarySheet = lazyPart(loadSummarySheet, readingDialogMessages);

/** What stands beside the rows. */
export type SheetName = "summary" | "ask";

/**
 * The open sheet; null: none. A lecture that is opened begins with what the person chose last; a Stop, which offers the
 * summary for the first time, opens nothing. `opens`: the summary is open in any case.
 *
 * @param lectureKey changes when another lecture is shown.
 * @param isOffered whether there is something to summarise, and to ask.
 */
export function useOpenSheet(
  lecture: LectureDocument,
  lectureKey: number,
  isOffered: Record<SheetName, boolean>,
  opens = false,
) {
  const loading = useField(lecture.view, "busy") === "loading";
  const getFirst = () => (opens || getStoredSummaryOpen() ? "summary" : null);
  const [sheet, setSheet] = useState<SheetName | null>(getFirst);
  const [shown, setShown] = useState({ lectureKey, loading });
  const open = sheet && isOffered[sheet] ? sheet : null;
  if (shown.lectureKey !== lectureKey || shown.loading !== loading) {
    setShown({ lectureKey, loading });
    if (loading || shown.lectureKey !== lectureKey) setSheet(getFirst());
  } else if (sheet !== open && !loading) setSheet(null);
  return {
    open,
    setOpen(next: SheetName | null) {
      setSheet(next);
      storeSummaryOpen(next === "summary");
    },
  };
}
