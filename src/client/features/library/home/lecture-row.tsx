import { Link } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { memo } from "react";
import {
  DemoBadge,
  DraftBadge,
  RecordedTime,
  UnsentBadge,
} from "#client/features/library/lecture-details.tsx";
import { OfflineBadge } from "#client/features/library/offline-texts.tsx";
import { useT } from "#client/features/library/sidebar/messages/index.ts";
import { type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { formatDayOfYear, formatMoment, formatTime, formatWeekday } from "#client/lib/dates.ts";
import { useReturnFocus } from "#client/lib/focus.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { getExcerpt, getListTitle } from "#client/state/library/list-texts.ts";
import { useCanOpen } from "#client/state/offline.ts";
import { IconButton } from "#client/ui/button.tsx";
import { showFormulaLine } from "#client/ui/lazy-formula.tsx";
import type { LectureListItem } from "#shared/lecture.ts";
import type { AgeGroup } from "./age-groups.ts";

/** The whole row is pressed. */
const reachClass = "after:absolute after:-inset-x-3 after:inset-y-0 after:rounded-s";

interface LectureRowProps {
  lecture: LectureListItem;
  /** The part of the list in which it stands. */
  age: AgeGroup["kind"];
  /** Null if it is in no folder, or if the list shows one folder only. */
  folderName: string | null;
  /** URL parameters that stay when the lecture is opened. */
  search: HomeSearch;
  /** Null unless lectures are being selected. */
  isSelected: boolean | null;
  onSelect: (id: string, isSelected: boolean) => void;
  onMenu: (lecture: LectureListItem, anchor: Element) => void;
}

export const LectureRow = memo(function LectureRow(props: LectureRowProps) {
  const { lecture, age, folderName, search, isSelected, onSelect, onMenu } = props;
  const t = useT();
  const language = useLanguage();
  const title = getListTitle(lecture) || t("home.untitled");
  const shownTitle = showFormulaLine(title);
  const link = useReturnFocus(lecture.id);
  const canOpen = useCanOpen(lecture.id);
  return (
    <article
      data-lecture={lecture.id}
      className="group relative grid select-none grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-rule border-t py-3 [-webkit-touch-callout:none] before:pointer-events-none before:absolute before:-inset-x-3 before:inset-y-0 before:rounded-s before:transition-colors before:duration-150 before:ease-quiet hover:before:bg-ink/4 max-sm:py-2.5"
    >
      <h3 className="text-pretty font-semibold text-lg leading-snug wrap-anywhere max-sm:text-[1rem]">
        {isSelected === null ? (
          canOpen ? (
            <Link
              ref={link}
              to="/record"
              search={{ ...search, lecture: lecture.id }}
              state={{ fromList: true }}
              // A lecture is dragged, not its link.
              draggable={false}
              className={reachClass}
            >
              <bdi>{shownTitle}</bdi>
            </Link>
          ) : (
            <bdi className="text-ink-2">{shownTitle}</bdi>
          )
        ) : (
          <label className={`${reachClass} flex cursor-pointer items-baseline gap-3`}>
            <input
              type="checkbox"
              checked={isSelected}
              onChange={(event) => onSelect(lecture.id, event.target.checked)}
              className="relative top-0.5 z-1 size-4.5 shrink-0 accent-ink"
            />
            <bdi>{shownTitle}</bdi>
          </label>
        )}
      </h3>
      <p className="tabular col-start-1 mt-0.5 flex flex-wrap items-center gap-x-1.5 text-ink-3 text-sm">
        {folderName ? (
          <>
            <span dir="auto" className="min-w-0 truncate">
              {folderName}
            </span>
            <Dot />
          </>
        ) : null}
        <StartTime at={lecture.createdAt} age={age} />
        <Dot />
        <RecordedTime seconds={lecture.usedTime} />
        <DraftBadge lecture={lecture} />
        <DemoBadge lecture={lecture} />
        <UnsentBadge lecture={lecture} />
        <OfflineBadge lectureId={lecture.id} />
      </p>
      <p className="col-start-1 mt-0.5 line-clamp-1 max-w-[76ch] text-ink-3 text-sm wrap-anywhere max-book:hidden">
        <Preview lecture={lecture} language={language} />
      </p>
      {isSelected === null ? (
        <IconButton
          icon={Ellipsis}
          label={t("home.moreNamed", { title })}
          aria-haspopup="menu"
          onClick={(event) => onMenu(lecture, event.currentTarget)}
          className="relative col-start-2 row-start-1 row-end-4 self-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden"
        />
      ) : null}
    </article>
  );
});

const Dot = () => <span aria-hidden="true">·</span>;

/** The time of today, the day of this week, else the date. The whole moment for screen readers and as a hint. */
function StartTime({ at, age }: { at: string; age: AgeGroup["kind"] }) {
  const language = useLanguage();
  const moment = formatMoment(at, language);
  const format: (iso: string, language: InterfaceLanguage) => string =
    age === "today" ? formatTime : age === "thisWeek" ? formatWeekday : formatDayOfYear;
  return (
    <time dateTime={at} title={moment}>
      <span aria-hidden="true">{format(at, language)}</span>
      <span className="sr-only">{moment}</span>
    </time>
  );
}

function Preview({
  lecture,
  language,
}: Pick<LectureRowProps, "lecture"> & { language: InterfaceLanguage }) {
  const t = useT();
  const { text, ...tag } = getExcerpt(lecture, language);
  return text === "" ? t("home.noTranscript") : <bdi {...tag}>{showFormulaLine(text)}</bdi>;
}
