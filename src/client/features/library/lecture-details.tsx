import type { ComponentProps } from "react";
import { useDemoTexts } from "#client/i18n/demo-texts.ts";
import { useT } from "#client/i18n/library/index.ts";
import { toHoursAndMinutes } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lecturesWithUnsentAudio } from "#client/state/recording.ts";
import type { LectureListItem } from "#shared/lecture.ts";

const badgeClass =
  "shrink-0 rounded-[5px] border border-ink-3/35 px-1.25 font-medium text-ink-3 text-xs leading-4 tracking-normal";

interface BadgeProps<Field extends keyof LectureListItem> {
  lecture: Pick<LectureListItem, Field>;
  /** For `aria-describedby`. */
  id?: string;
  className?: string;
}

function Badge({ className = "", ...rest }: ComponentProps<"span">) {
  return <span {...rest} className={`${badgeClass} ${className}`} />;
}

export function DraftBadge({ lecture, ...rest }: BadgeProps<"status">) {
  const t = useT();
  return lecture.status === "draft" ? <Badge {...rest}>{t("home.draft")}</Badge> : null;
}

/** Says that the lecture contains text of the demo voice. */
export function DemoBadge({ lecture, ...rest }: BadgeProps<"hasDemoText">) {
  const { label, mark } = useDemoTexts();
  if (!lecture.hasDemoText) return null;
  return (
    <Badge title={mark} {...rest}>
      {label}
    </Badge>
  );
}

/** Says that this device has unsent audio of the lecture. */
export function UnsentBadge({ lecture, ...rest }: BadgeProps<"id">) {
  const t = useT();
  if (!useValue(lecturesWithUnsentAudio).has(lecture.id)) return null;
  return <Badge {...rest}>{t("home.unsentAudio")}</Badge>;
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
