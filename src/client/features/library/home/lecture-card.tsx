import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { memo } from "react";
import {
  DemoBadge,
  DraftBadge,
  RecordedTime,
  UnsentBadge,
} from "#client/features/library/lecture-details.tsx";
import { OfflineBadge } from "#client/features/library/offline-texts.tsx";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/library/index.ts";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { useReturnFocus } from "#client/lib/focus.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { getExcerpt, getListTitle } from "#client/state/library/list-texts.ts";
import { useCanOpen } from "#client/state/offline.ts";
import { getButtonClass, IconButton } from "#client/ui/button.tsx";
import type { LectureListItem } from "#shared/lecture.ts";

/** The space is behind it, so that one that begins a line is not indented. */
const badgeClass = "mr-2 inline-block align-[2px]";

interface LectureCardProps {
  lecture: LectureListItem;
  /** Null if it is in no folder, or if the list shows one folder only. */
  folderName: string | null;
  /** URL parameters that stay when the lecture is opened. */
  search: HomeSearch;
  first: boolean;
  onDelete: (lecture: LectureListItem) => void;
}

export const LectureCard = memo(function LectureCard(props: LectureCardProps) {
  const { lecture, folderName, search, first, onDelete } = props;
  const t = useT();
  const language = useLanguage();
  const title = getListTitle(lecture) || t("home.untitled");
  const link = useReturnFocus(lecture.id);
  const canOpen = useCanOpen(lecture.id);
  return (
    <article
      className={`group relative -mx-5 grid grid-cols-[1fr_auto] gap-x-6 gap-y-0.5 rounded-l px-5 py-4.5 transition-shadow duration-150 ease-quiet after:absolute after:top-0 after:right-5 after:left-5 max-book:after:right-4 max-book:after:left-4 after:border-rule after:border-t focus-within:bg-sheet hover:bg-sheet hover:shadow-sheet hover:after:opacity-0 max-book:-mx-4 max-book:px-4 max-sm:gap-x-2 ${first ? "after:hidden" : ""}`}
    >
      <h2 className="font-semibold text-lg tracking-tight wrap-anywhere">
        {canOpen ? (
          <Link
            ref={link}
            to="/record"
            search={{ ...search, lecture: lecture.id }}
            state={{ fromList: true }}
            className="after:absolute after:inset-0 after:rounded-l"
          >
            <bdi className="mr-2">{title}</bdi>
          </Link>
        ) : (
          <bdi className="mr-2 text-ink-2">{title}</bdi>
        )}
        <DraftBadge lecture={lecture} className={badgeClass} />
        <DemoBadge lecture={lecture} className={badgeClass} />
        <UnsentBadge lecture={lecture} className={badgeClass} />
        <OfflineBadge lectureId={lecture.id} className={badgeClass} />
      </h2>
      <p className="tabular col-start-1 flex flex-wrap gap-x-3.5 text-ink-3 text-sm">
        <span>{formatDay(lecture.createdAt, language)}</span>
        <span>{formatTime(lecture.createdAt, language)}</span>
        <RecordedTime seconds={lecture.usedTime} />
        {folderName ? (
          <span dir="auto" className="min-w-0 truncate text-ink-2">
            {folderName}
          </span>
        ) : null}
      </p>
      <p className="col-start-1 mt-1 max-w-[76ch] text-ink-2 wrap-anywhere max-sm:col-span-2">
        <Preview lecture={lecture} />
      </p>
      {/* Their space is always there, so that what they appear beside does not move. */}
      <div className="relative z-1 col-start-2 row-start-1 row-end-4 -mr-2 flex items-start gap-1.5 transition-opacity duration-150 ease-quiet max-sm:-mr-3 max-sm:row-end-3 max-sm:gap-0 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100">
        {canOpen ? (
          <Link
            to="/record"
            search={{ ...search, lecture: lecture.id }}
            state={{ fromList: true, editing: true }}
            aria-label={t("home.editNamed", { title })}
            className={`${getButtonClass({ size: "small" })} max-sm:border-transparent max-sm:bg-transparent max-sm:px-2`}
          >
            <Pencil className="size-4 text-ink-2 sm:hidden" />
            <span className="max-sm:sr-only">{t("home.edit")}</span>
          </Link>
        ) : null}
        <IconButton
          icon={Trash2}
          label={t("home.deleteNamed", { title })}
          onClick={() => onDelete(lecture)}
          className="size-8"
        />
      </div>
    </article>
  );
});

function Preview({ lecture }: Pick<LectureCardProps, "lecture">) {
  const t = useT();
  const { text, ...language } = getExcerpt(lecture, useLanguage());
  return text === "" ? t("home.noTranscript") : <bdi {...language}>{text}</bdi>;
}
