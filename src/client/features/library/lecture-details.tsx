import { useDemoTexts } from "#client/i18n/demo-texts.ts";
import { useT } from "#client/i18n/library/index.ts";
import { toHoursAndMinutes } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/signal.ts";
import { lecturesWithUnsentAudio } from "#client/state/recording.ts";
import type { LectureListItem } from "#shared/lecture.ts";

const badgeClass =
  "shrink-0 rounded-[5px] border border-ink-3/35 px-1.25 font-medium text-ink-3 text-xs leading-4 tracking-normal";

interface DraftBadgeProps {
  lecture: Pick<LectureListItem, "status">;
  className?: string;
}

export function DraftBadge({ lecture, className = "" }: DraftBadgeProps) {
  const t = useT();
  if (lecture.status !== "draft") return null;
  return <span className={`${badgeClass} ${className}`}>{t("home.draft")}</span>;
}

interface DemoBadgeProps {
  lecture: Pick<LectureListItem, "hasDemoText">;
  /** For `aria-describedby`. */
  id?: string;
  className?: string;
}

/** Says that the lecture contains text of the demo voice. */
export function DemoBadge({ lecture, id, className = "" }: DemoBadgeProps) {
  const { label, mark } = useDemoTexts();
  if (!lecture.hasDemoText) return null;
  return (
    <span id={id} title={mark} className={`${badgeClass} ${className}`}>
      {label}
    </span>
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
  return <span className={`${badgeClass} ${className}`}>{t("home.unsentAudio")}</span>;
}

/** Recorded time as 'Xh Ym' or 'Ym'; less than a minute is said so. */
export function RecordedTime({ seconds }: { seconds: number }) {
  const t = useT();
  const { hours, minutes } = toHoursAndMinutes(seconds);
  return (
    <span>
      {hours > 0
        ? t("home.duration.hours", { hours, minutes })
        : minutes > 0
          ? t("home.duration.minutes", { minutes })
          : t("home.duration.short")}
    </span>
  );
}
