import { useEffect, useRef } from "react";
import { summaryMaxLength } from "../../../../shared/limits.ts";
import { useT } from "../../../i18n/index.ts";
import { Button } from "../../../ui/button.tsx";
import { inputClass } from "../../../ui/text-field.tsx";
import { bestOf, type Finder } from "../search/mark.ts";
import { sentencesOf } from "./landing.ts";
import { characterTop } from "./text-place.ts";
import type { SummaryDraft } from "./use-summary.ts";

interface SummaryPanelProps {
  draft: SummaryDraft;
  /** What to land on; null where the panel was opened by its tab. */
  find: Finder | null;
}

/** The summary, to be edited. Changes stay here until they are saved. */
export function SummaryPanel({ draft, find }: SummaryPanelProps) {
  const t = useT();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!find) return;
    const frame = requestAnimationFrame(() => {
      if (area.current) select(area.current, find);
    });
    return () => cancelAnimationFrame(frame);
  }, [find]);

  if (draft.text === null) return <p className="text-ink-2">{t("detail.noSummary")}</p>;
  return (
    <div className="grid max-w-190 justify-items-start gap-3">
      <textarea
        ref={area}
        aria-label={t("detail.summary")}
        value={draft.text}
        maxLength={summaryMaxLength}
        onChange={(event) => draft.edit(event.target.value)}
        className={`${inputClass} field-sizing-content min-h-60 leading-relaxed`}
      />
      <div className="flex items-center gap-3">
        <Button
          look="ink"
          disabled={draft.saving || !draft.edited}
          onClick={() => void draft.save()}
        >
          {t(draft.saving ? "detail.savingSummary" : "detail.saveSummary")}
        </Button>
        {draft.edited && !draft.saving ? (
          <span className="text-ink-3 text-sm">{t("detail.unsaved")}</span>
        ) : null}
      </div>
    </div>
  );
}

/** Selects the sentence of `area` that has the most of what is looked for, and brings it into view. */
function select(area: HTMLTextAreaElement, find: Finder): void {
  const sentences = sentencesOf(area.value);
  const best =
    sentences[
      bestOf(
        sentences.map(({ from, to }) => area.value.slice(from, to)),
        find,
      )
    ];
  area.focus({ preventScroll: true });
  if (!best) return;
  area.setSelectionRange(best.from, best.to);
  const top = characterTop(area, best.from);
  // Where the browser does not let it grow, the text scrolls in its field.
  area.scrollTop = top - area.clientHeight / 2;
  const inWindow = area.getBoundingClientRect().top + top - area.scrollTop;
  window.scrollBy({ top: inWindow - window.innerHeight / 2 });
}
