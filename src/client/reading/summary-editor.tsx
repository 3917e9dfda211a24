import { useState } from "react";
import { useValue } from "#client/lib/signal.ts";
import { readingFace } from "#client/state/preferences.ts";
import { Segments } from "#client/ui/segments.tsx";
import { summaryMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";
import { SummaryText } from "./summary-text.tsx";

interface SummaryEditorProps {
  text: string;
  generating: boolean;
  onChange: (text: string) => void;
}

type Side = "edit" | "read";

/** The summary in full screen: its Markdown beside the rendered text; on a narrow screen one of the two. */
export function SummaryEditor({ text, generating, onChange }: SummaryEditorProps) {
  const t = useT();
  const serif = useValue(readingFace) === "serif";
  const [side, setSide] = useState<Side>(text ? "read" : "edit");
  // The field shows the typed text at once; the session's value follows a moment later.
  const [draft, setTyped] = useState<string | null>(null);
  const value = generating ? text : (draft ?? text);
  return (
    <div className="min-h-0 px-7 pb-7 max-book:px-4 max-book:pb-4">
      <div className="mx-auto grid h-full max-w-275 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] gap-4 book:grid-cols-2 book:grid-rows-[minmax(0,1fr)] book:gap-8">
        <div className="col-span-full book:hidden">
          <Segments<Side>
            label={t("summary.title")}
            value={side}
            options={[
              { value: "read", label: t("summary.read") },
              { value: "edit", label: t("summary.edit") },
            ]}
            onChange={setSide}
          />
        </div>
        <textarea
          aria-label={t("summary.text")}
          dir="auto"
          value={value}
          readOnly={generating}
          maxLength={summaryMaxLength}
          placeholder={t("summary.placeholder")}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(event.target.value);
          }}
          onBlur={() => setTyped(null)}
          className={`min-h-0 resize-none rounded-m border border-rule-control bg-sheet p-5 text-md leading-relaxed transition-colors duration-150 ease-quiet hover:border-rule-strong ${serif ? "font-reading" : ""} ${side === "edit" ? "" : "max-book:hidden"}`}
        />
        <article
          aria-label={t("summary.title")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          className={`min-h-0 overflow-y-auto py-5 max-book:py-1 ${side === "read" ? "" : "max-book:hidden"}`}
        >
          <SummaryText text={value} generating={generating} />
        </article>
      </div>
    </div>
  );
}
