import { useT } from "#client/i18n/library/index.ts";
import { useValue } from "#client/lib/signal.ts";
import { lecturesWithUnsentAudio } from "#client/state/recording.ts";
import type { LectureListItem } from "#shared/lecture.ts";

interface DraftDotProps {
  lecture: Pick<LectureListItem, "status">;
  /** For `aria-describedby`. */
  id?: string;
  className?: string;
}

/** A dot for a draft. */
export function DraftDot({ lecture, id, className = "" }: DraftDotProps) {
  const t = useT();
  if (lecture.status !== "draft") return null;
  return (
    <span
      id={id}
      role="img"
      aria-label={t("home.draft")}
      title={t("home.draft")}
      className={`relative size-2 shrink-0 rounded-full bg-ink-3 ${className}`}
    />
  );
}

interface UnsentBadgeProps {
  lecture: Pick<LectureListItem, "id">;
  className?: string;
}

/** Says that this device has unsent audio of the lecture. */
export function UnsentBadge({ lecture, className = "" }: UnsentBadgeProps) {
  const t = useT();
  if (!useValue(lecturesWithUnsentAudio).has(lecture.id)) return null;
  return (
    <span
      className={`shrink-0 rounded-[5px] border border-ink-3/35 px-1.25 font-medium text-ink-3 text-xs leading-4 tracking-normal ${className}`}
    >
      {t("home.unsentAudio")}
    </span>
  );
}
