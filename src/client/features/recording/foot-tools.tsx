import { Flag, History, type LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useT } from "#client/reading/dialog-messages/index.ts";
import { recapControl } from "#client/reading/reading-state.ts";
import { deleteMarks, useMarks } from "#client/reading/use-marks.ts";
import { Button } from "#client/ui/button.tsx";

interface FootToolsProps {
  lecture: LectureDocument;
  isRecording: boolean;
}

/** What helps while one listens: what was just said, and a mark for the sentence being spoken. */
export default function FootTools({ lecture, isRecording }: FootToolsProps) {
  return (
    <div data-foot-tools className="flex items-center gap-1 max-[43.75rem]:gap-0">
      <RecapButton />
      {isRecording ? <MarkNowButton lecture={lecture} /> : null}
    </div>
  );
}

function RecapButton() {
  const t = useT();
  const control = useValue(recapControl);
  if (control === null) return null;
  return (
    <ToolButton
      icon={History}
      aria-label={t("recap.open")}
      aria-expanded={control.isOpen}
      aria-keyshortcuts="c"
      onClick={control.toggle}
    >
      <span className="max-book:hidden">{t("recap.open")}</span>
      <span className="book:hidden">{t("recap.short")}</span>
    </ToolButton>
  );
}

/** Marks the sentence being spoken; a second press removes the mark. */
function MarkNowButton({ lecture }: Pick<FootToolsProps, "lecture">) {
  const t = useT();
  const { current } = useMarks(lecture);
  const isMarked = current.length > 0;
  return (
    <ToolButton
      icon={Flag}
      iconClass={isMarked ? "fill-current" : ""}
      aria-label={t("marks.markCurrent")}
      title={t("marks.markCurrent")}
      aria-pressed={isMarked}
      aria-keyshortcuts="m"
      onClick={() => (isMarked ? deleteMarks(lecture, current) : lecture.addMark(null))}
    >
      {t("marks.short")}
    </ToolButton>
  );
}

interface ToolButtonProps extends ComponentProps<"button"> {
  icon: LucideIcon;
  iconClass?: string;
  children: ReactNode;
}

/** An icon with its name, which is below it on a phone. */
const ToolButton = ({ icon: Icon, iconClass = "", children, ...props }: ToolButtonProps) => (
  <Button
    look="quiet"
    size="medium"
    className="px-2.5! text-ink-2! aria-expanded:bg-paper-3 aria-pressed:text-ink! max-[43.75rem]:h-12 max-[43.75rem]:min-w-12 max-[43.75rem]:flex-col max-[43.75rem]:gap-0.75! max-[43.75rem]:px-1.5! max-[43.75rem]:text-[0.6875rem]! max-[43.75rem]:font-medium! max-[43.75rem]:leading-none max-[22.5rem]:px-0.5!"
    {...props}
  >
    <Icon className={`size-4.5 shrink-0 ${iconClass}`} />
    {children}
  </Button>
);
