import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { memo } from "react";
import type { LectureListItem } from "../../../shared/lecture.ts";
import { previewLength } from "../../../shared/limits.ts";
import { useT } from "../../i18n/index.ts";
import { formatDay, formatTime, hoursAndMinutes } from "../../lib/dates.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";

interface LectureCardProps {
  lecture: LectureListItem;
  onDelete: (lecture: LectureListItem) => void;
}

/** One lecture of the list. The whole card opens it; its height is about 130 px while out of view. */
export const LectureCard = memo(function LectureCard({ lecture, onDelete }: LectureCardProps) {
  const t = useT();
  const title = lecture.title || t("home.untitled");
  return (
    <li className="group relative -mx-5 max-sm:-mx-4.5 grid grid-cols-[1fr_auto] gap-x-6 gap-y-0.5 rounded-l px-5 max-sm:px-4.5 py-4.5 transition-shadow duration-150 ease-quiet [contain-intrinsic-size:auto_130px] [content-visibility:auto] after:absolute after:top-0 after:right-5 after:left-5 after:border-rule after:border-t focus-within:bg-sheet hover:bg-sheet hover:shadow-sheet hover:after:opacity-0 max-sm:grid-cols-1 first:after:hidden">
      <h2 className="font-semibold text-lg tracking-tight wrap-anywhere">
        <Link
          to="/"
          search={{ lecture: lecture.id }}
          className="after:absolute after:inset-0 after:rounded-l"
        >
          {title}
        </Link>
        {lecture.status === "draft" ? (
          <span className="ml-2 rounded-[5px] bg-seal-wash px-1.75 py-px align-[2px] font-semibold text-[0.7rem] text-seal-text">
            {t("home.draft")}
          </span>
        ) : null}
      </h2>
      <p className="tabular col-start-1 flex flex-wrap gap-x-3.5 text-ink-3 text-sm">
        <span>{formatDay(lecture.createdAt)}</span>
        <span>{formatTime(lecture.createdAt)}</span>
        <Duration seconds={lecture.usedTime} />
      </p>
      <p className="col-start-1 mt-1 max-w-[64ch] text-ink-2 wrap-anywhere">
        <Preview text={lecture.preview} />
      </p>
      <div className="relative z-1 col-start-2 row-span-3 row-start-1 flex items-start gap-1.5 max-sm:col-start-1 max-sm:row-auto max-sm:mt-2">
        <Link
          to="/"
          search={{ lecture: lecture.id }}
          aria-label={t("home.editNamed", { title })}
          className={buttonClass({ size: "small" })}
        >
          {t("home.edit")}
        </Link>
        <IconButton
          label={t("home.deleteNamed", { title })}
          onClick={() => onDelete(lecture)}
          className="size-8"
        >
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
});

function Duration({ seconds }: { seconds: number }) {
  const t = useT();
  const { hours, minutes } = hoursAndMinutes(seconds);
  return (
    <span>
      {hours > 0
        ? t("home.duration.hours", { hours, minutes })
        : t("home.duration.minutes", { minutes })}
    </span>
  );
}

function Preview({ text }: { text: string }) {
  const t = useT();
  if (!text.trim()) return t("home.noTranscript");
  const characters = Array.from(text);
  if (characters.length <= previewLength) return <span lang="en">{text}</span>;
  return <span lang="en">{`${characters.slice(0, previewLength).join("").trimEnd()}…`}</span>;
}
