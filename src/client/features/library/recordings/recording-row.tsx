import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { DraftDot, UnsentBadge } from "#client/features/library/lecture-badges.tsx";
import { useT } from "#client/i18n/library/index.ts";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { useReturnFocus } from "#client/lib/return-focus.ts";
import { getListTitle } from "#client/state/library/list-texts.ts";
import { Duration } from "#client/ui/duration.tsx";
import type { LectureListItem } from "#shared/lecture.ts";

export const columnsClass =
  "grid grid-cols-[minmax(0,1fr)] items-baseline gap-x-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,9rem)_12rem_5rem]";

interface RecordingRowProps {
  lecture: LectureListItem;
  /** Null if it is in no folder, or while folders are loading. */
  folderName: string | null;
}

export const RecordingRow = memo(function RecordingRow({ lecture, folderName }: RecordingRowProps) {
  const t = useT();
  const link = useReturnFocus(lecture.id);
  return (
    <div
      className={`${columnsClass} relative border-rule border-b py-2.5 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-2 max-sm:gap-y-0.5`}
    >
      <span className="flex min-w-0 items-baseline gap-2">
        <Link
          ref={link}
          to="/"
          search={{ lecture: lecture.id }}
          dir="auto"
          className="truncate font-[550] text-base after:absolute after:inset-0"
        >
          {getListTitle(lecture) || t("home.untitled")}
        </Link>
        <DraftDot lecture={lecture} className="self-center" />
        <UnsentBadge lecture={lecture} />
      </span>
      <span dir="auto" className="truncate text-left text-ink-2 max-sm:hidden">
        {folderName}
      </span>
      <span className="tabular flex gap-x-3 whitespace-nowrap text-ink-3">
        <span>{formatDay(lecture.createdAt)}</span>
        <span>{formatTime(lecture.createdAt)}</span>
        <span className="sm:hidden">
          <Duration seconds={lecture.usedTime} />
        </span>
        {folderName ? (
          <span dir="auto" className="min-w-0 truncate text-ink-2 sm:hidden">
            {folderName}
          </span>
        ) : null}
      </span>
      <span className="tabular text-right text-ink-3 max-sm:hidden">
        <Duration seconds={lecture.usedTime} />
      </span>
    </div>
  );
});
