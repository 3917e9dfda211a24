import { type Ref, useState } from "react";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { getStoredSummaryOpen, storeSummaryOpen } from "#client/state/preferences.ts";
import { Button } from "#client/ui/button.tsx";
import { readingDialogMessages } from "./dialog-messages/index.ts";
import { useT } from "./messages/index.ts";

export const loadSummarySheet = () => import("./summary-sheet.tsx");
export const SummarySheet = lazyPart(loadSummarySheet, readingDialogMessages);

/**
 * Whether the summary's sheet is open. A lecture that is opened begins with what the person chose last; a Stop, which
 * offers the summary for the first time, opens nothing. `opens`: it is open in any case.
 *
 * @param lectureKey changes when another lecture is shown.
 */
export function useSummaryOpen(
  lecture: LectureDocument,
  lectureKey: number,
  offered: boolean,
  opens = false,
) {
  const loading = useField(lecture.view, "busy") === "loading";
  const getFirst = () => opens || getStoredSummaryOpen();
  const [open, setOpen] = useState(getFirst);
  const [shown, setShown] = useState({ lectureKey, loading });
  if (shown.lectureKey !== lectureKey || shown.loading !== loading) {
    setShown({ lectureKey, loading });
    if (loading || shown.lectureKey !== lectureKey) setOpen(getFirst());
  } else if (open && !offered && !loading) setOpen(false);
  return {
    open: open && offered,
    setOpen(next: boolean) {
      setOpen(next);
      storeSummaryOpen(next);
    },
  };
}

interface SummaryButtonProps {
  lecture: LectureDocument;
  /** Keeps the button's place, except on a phone, while there is no summary to offer. */
  offered: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
  ref: Ref<HTMLButtonElement>;
}

/** Opens and closes the summary's sheet; generates the first summary at once. */
export function SummaryButton({ lecture, offered, open, onOpen, ref }: SummaryButtonProps) {
  const t = useT();
  const { text, state } = useValue(lecture.summary);
  const first = !open && text === "" && state !== "generating";
  return (
    <Button
      ref={ref}
      look="quiet"
      size="small"
      aria-expanded={open}
      // Where room is short, the visible name is.
      aria-label={first ? t("summary.generate") : undefined}
      className={`font-ui ${offered ? "" : "invisible max-sm:hidden"}`}
      onClick={() => {
        onOpen(!open);
        if (first) void lecture.generateSummary();
      }}
    >
      {first ? (
        <>
          <span className="@max-[54rem]/rows:hidden">{t("summary.generate")}</span>
          <span aria-hidden="true" className="@min-[54rem]/rows:hidden">
            {t("summary.title")}
          </span>
        </>
      ) : (
        t("summary.title")
      )}
    </Button>
  );
}
