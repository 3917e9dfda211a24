import { type RefObject, useRef, useState } from "react";
import { useT } from "#client/features/recording/messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import type { LectureView } from "#client/lecture/lecture-document.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { lectureNameMaxLength } from "#shared/limits.ts";

async function loadActions() {
  const load = import("#client/state/library/lecture-actions.ts");
  await Promise.all([load, libraryMessages.load()]);
  return load;
}

interface LectureNameProps {
  lecture: NonNullable<LectureView["lecture"]>;
  field: RefObject<HTMLInputElement | null>;
}

/** The lecture's name in the page's heading. Enter or blur saves it, Escape discards what was typed. */
export function LectureName({ lecture, field }: LectureNameProps) {
  const t = useT();
  /** The name as it is typed, and until it is saved; null while not editing. */
  const [draft, setDraft] = useState<string | null>(null);
  const isDiscarded = useRef(false);
  const shown = getPageTitle(lecture, useLanguage());

  async function commit() {
    const name = draft?.trim();
    if (name && name !== shown && !isDiscarded.current) {
      try {
        await (await loadActions()).renameLecture(lecture.id, name);
      } catch {
        notifyLoadFailure();
      }
    }
    isDiscarded.current = false;
    setDraft((now) => (now === draft ? null : now));
  }

  return (
    <input
      ref={field}
      aria-label={t("record.name")}
      dir="auto"
      value={draft ?? shown}
      maxLength={Math.max(lectureNameMaxLength, shown.length)}
      placeholder={t("record.untitled")}
      onFocus={() => void loadActions().catch(() => {})}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void commit()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Escape") isDiscarded.current = true;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      className="h-8 max-w-full truncate rounded-s border border-transparent bg-transparent px-2 text-left transition-colors duration-150 ease-quiet [field-sizing:content] not-supports-[field-sizing:content]:w-full hover:border-rule-control hover:bg-sheet focus:bg-sheet max-[43.75rem]:w-full max-[43.75rem]:h-11 max-[43.75rem]:-my-2.5"
    />
  );
}
