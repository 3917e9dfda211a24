import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock, formatDay, formatTime } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useColumnNames, usePair } from "#client/reading/use-languages.ts";

const FolderName = lazyPartAfterPaint(() => import("./folder-name.tsx"));

interface LectureDetailsProps {
  document: LectureDocument;
  /** Also how long it is, and its languages. */
  isWhole: boolean;
}

/** Such as "Physics · Nov 28, 2026 · 9:12 · English → Simplified Chinese". */
export function LectureDetails({ document, isWhole }: LectureDetailsProps) {
  const language = useLanguage();
  const lecture = useField(document.view, "lecture");
  const seconds = useField(document.view, "recordedSeconds");
  const names = useColumnNames(usePair(document), useValue(document.transcript.blocks));
  if (!lecture) return null;
  const date = formatDay(lecture.createdAt, language);
  return (
    <>
      <FolderName id={lecture.folderId} />
      <span className="tabular">
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
