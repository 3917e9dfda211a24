import { type RefObject, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { renameLecture } from "#client/state/library/lecture-actions.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import type { Lecture } from "#shared/lecture.ts";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";

interface LectureNameProps {
  lecture: Lecture;
  field: RefObject<HTMLInputElement | null>;
}

/** The lecture's name as an editable heading. Enter or blur saves the name, Escape discards it. */
export function LectureName({ lecture, field }: LectureNameProps) {
  const t = useT();
  const title = getPageTitle(lecture, useLanguage());
  /** The edited name; null while not editing. */
  const [draft, setDraft] = useState<string | null>(null);
  const discarded = useRef(false);

  function commit() {
    const name = draft?.trim();
    if (name && !discarded.current) void renameLecture(lecture.id, name);
    discarded.current = false;
    setDraft(null);
  }

  return (
    <h1 className="-mx-2 min-w-0 flex-1 font-semibold text-xl tracking-tight max-sm:self-stretch">
      <input
        ref={field}
        aria-label={t("lecture.name")}
        dir="auto"
        value={draft ?? title}
        maxLength={Math.max(lectureNameMaxLength, title.length)}
        placeholder={t("home.untitled")}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") discarded.current = true;
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
        className="touch-target w-full truncate rounded-s bg-transparent text-left px-2 py-0.5 transition-colors duration-150 ease-quiet hover:bg-paper-2 focus:bg-sheet"
      />
    </h1>
  );
}
