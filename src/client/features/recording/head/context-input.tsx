import { Sparkles } from "lucide-react";
import { useState } from "react";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField } from "#client/lib/hooks.ts";
import { useLectureKey } from "#client/reading/reading-state.ts";
import { contextMaxLength } from "#shared/limits.ts";

/** What the lecture is about, on one line: typed by the user, or generated until they type. */
export function ContextInput({ document }: { document: LectureDocument }) {
  const t = useT();
  const context = useField(document.view, "context");
  const generating = useField(document.view, "contextState") === "generating";
  const isLoading = useField(document.view, "busy") === "loading";
  const lectureKey = useLectureKey(document);
  // The field shows the typed text at once; the document's value follows a moment later. It may keep the focus when
  // another lecture is shown.
  const [typed, setTyped] = useState<{ [lectureKey: number]: string }>({});
  const value = typed[lectureKey] ?? context;
  return (
    <>
      <label className="touch-target flex h-9 min-w-0 flex-1 items-center gap-2 max-sm:flex-none rounded-m border border-rule-control bg-sheet px-3 text-sm transition-colors duration-150 ease-quiet hover:border-rule-strong has-focus-visible:outline-2 has-focus-visible:outline-ink">
        <span className="text-ink-3">{t("record.context")}</span>
        <input
          type="text"
          title={value}
          value={value}
          maxLength={contextMaxLength}
          // It would be written into the lecture that is being left.
          readOnly={isLoading}
          autoComplete="off"
          placeholder={t(generating ? "record.contextGenerating" : "record.contextPlaceholder")}
          onChange={(event) => {
            setTyped({ [lectureKey]: event.target.value });
            document.setContext(event.target.value);
          }}
          onBlur={() => setTyped({})}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
          className="h-full min-w-0 flex-1 truncate bg-transparent text-ink-2 outline-none focus:text-ink"
        />
        {generating ? <Sparkles className="size-3.5 shrink-0 animate-breathe text-ink-3" /> : null}
      </label>
      <span role="status" className="sr-only">
        {generating ? t("record.contextGenerating") : null}
      </span>
    </>
  );
}
