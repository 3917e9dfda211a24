import type { Ref } from "react";
import { useValue } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/lecture/lecture-document.ts";
import { Button } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";

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
          <span className="@max-[72rem]/rows:hidden">{t("summary.generate")}</span>
          <span aria-hidden="true" className="@min-[72rem]/rows:hidden">
            {t("summary.title")}
          </span>
        </>
      ) : (
        t("summary.title")
      )}
    </Button>
  );
}
