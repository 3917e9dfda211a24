import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock, formatDay, formatDayOfYear, formatTime } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useColumnNames, usePair } from "#client/reading/use-languages.ts";

const FolderName = lazyPartAfterPaint(() => import("./folder-name.tsx"));

interface LectureDetailsProps {
  document: LectureDocument;
  /** Also how long it is, and its languages. */
  isWhole: boolean;
}

/** Such as "Physics · Nov 28 · 9:12 · English → Simplified Chinese"; the year where it is another one than now. */
export function LectureDetails({ document, isWhole }: LectureDetailsProps) {
  const language = useLanguage();
  const lecture = useField(document.view, "lecture");
  const seconds = useField(document.view, "recordedSeconds");
  const names = useColumnNames(usePair(document), useValue(document.transcript.blocks));
  if (!lecture) return null;
  const isThisYear = new Date(lecture.createdAt).getFullYear() === new Date().getFullYear();
  const format = isWhole && isThisYear ? formatDayOfYear : formatDay;
  const date = format(lecture.createdAt, language);
  return (
    <>
      <FolderName id={lecture.folderId} />
      {/* Where room is short, the folder's name is cut. */}
      <span className="tabular truncate max-book:shrink-0">
        {/* A lecture that nobody has named has its date as its name. */}
        {lecture.titleSource === "date"
          ? null
          : isWhole
            ? date
            : `${date} ${formatTime(lecture.createdAt, language)}`}
        {isWhole ? (
          <>
            {lecture.titleSource === "date" ? null : " · "}
            {formatClock(seconds)}
            <span className="max-book:hidden"> · {names.pair ?? names.originalName}</span>
          </>
        ) : null}
      </span>
    </>
  );
}
