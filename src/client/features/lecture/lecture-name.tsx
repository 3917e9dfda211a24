import { type RefObject, useRef, useState } from "react";
import { useLectureActions } from "#client/state/library/use-library.ts";
import type { Lecture } from "#shared/lecture.ts";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";

interface LectureNameProps {
  lecture: Lecture;
  field: RefObject<HTMLInputElement | null>;
}

/** The lecture's name as a heading that can be typed in. Enter or leaving it renames, Escape does not. */
export function LectureName({ lecture, field }: LectureNameProps) {
  const t = useT();
  const { rename } = useLectureActions();
  /** What is being typed; null where nobody types. */
  const [typed, setTyped] = useState<string | null>(null);
  const dropped = useRef(false);

  function commit() {
    if (typed !== null && !dropped.current) void rename(lecture.id, typed);
    dropped.current = false;
    setTyped(null);
  }

  return (
    <h1 className="-mx-2 font-semibold text-2xl tracking-tight">
      <input
        ref={field}
        aria-label={t("lecture.name")}
        dir="auto"
        value={typed ?? lecture.title}
        maxLength={Math.max(lectureNameMaxLength, lecture.title.length)}
        placeholder={t("home.untitled")}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") dropped.current = true;
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
        className="touch-target w-full truncate rounded-s bg-transparent text-left px-2 py-0.5 transition-colors duration-150 ease-quiet hover:bg-paper-2 focus:bg-sheet"
      />
    </h1>
  );
}
