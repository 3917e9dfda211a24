import { useT } from "#client/i18n/library/index.ts";
import { useValue } from "#client/lib/signal.ts";
import { lecturesWithUnsentAudio } from "#client/state/recording.ts";
import type { LectureListItem } from "#shared/lecture.ts";

interface LectureBadgesProps {
  lecture: Pick<LectureListItem, "id" | "status">;
  /** Added to each badge. */
  className?: string;
}

/** Beside the name of a lecture: that it is a draft, and that this device has unsent audio of it. */
export function LectureBadges({ lecture, className = "" }: LectureBadgesProps) {
  const t = useT();
  const hasUnsentAudio = useValue(lecturesWithUnsentAudio).has(lecture.id);
  const texts = [
    ...(lecture.status === "draft" ? [t("home.draft")] : []),
    ...(hasUnsentAudio ? [t("home.unsentAudio")] : []),
  ];
  return texts.map((text) => (
    <span
      key={text}
      className={`shrink-0 rounded-[5px] border border-ink-3/35 px-1.25 font-medium text-ink-3 text-xs leading-4 tracking-normal ${className}`}
    >
      {text}
    </span>
  ));
}
