import { useEffect, useRef } from "react";
import { Button } from "#client/ui/button.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { summaryMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";
import type { ScrollTarget } from "./scroll-target.ts";
import type { SummaryDraft } from "./use-summary-draft.ts";

interface LectureSummaryProps {
  draft: SummaryDraft;
  /** Null if the user opened the panel by its tab. */
  scrollTarget: ScrollTarget | null;
}

export function LectureSummary({ draft, scrollTarget }: LectureSummaryProps) {
  const t = useT();
  const area = useRef<HTMLTextAreaElement>(null);
  const hasScrolled = useRef(false);
  useEffect(() => {
    if (!scrollTarget || scrollTarget.isLoading || hasScrolled.current) return;
    const { hit } = scrollTarget;
    const frame = requestAnimationFrame(() => {
      hasScrolled.current = true;
      if (area.current) select(area.current, hit?.kind === "summary" ? hit.text.join("") : null);
    });
    return () => cancelAnimationFrame(frame);
  }, [scrollTarget]);

  if (draft.text === null) return <p className="text-ink-2">{t("lecture.noSummary")}</p>;
  return (
    <div className="grid max-w-190 justify-items-start gap-3">
      <textarea
        ref={area}
        aria-label={t("lecture.summary")}
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
          {t(draft.saving ? "lecture.savingSummary" : "lecture.saveSummary")}
        </Button>
        {draft.edited && !draft.saving ? (
          <span className="text-ink-3 text-sm">{t("lecture.unsaved")}</span>
        ) : null}
      </div>
    </div>
  );
}

/** Focuses `area`, selects `sentence` in it and scrolls to it. */
function select(area: HTMLTextAreaElement, sentence: string | null): void {
  area.focus({ preventScroll: true });
  const from = sentence === null ? -1 : area.value.indexOf(sentence);
  if (sentence === null || from === -1) return;
  area.setSelectionRange(from, from + sentence.length);
  const top = measureCharacterTop(area, from);
  // A browser without `field-sizing` scrolls the text inside the field.
  area.scrollTop = top - area.clientHeight / 2;
  const inWindow = area.getBoundingClientRect().top + top - area.scrollTop;
  window.scrollBy({ top: inWindow - window.innerHeight / 2 });
}

/** Styles that determine where the lines of a text area break. */
const copiedStyles = [
  ...["font-family", "font-size", "font-weight", "letter-spacing", "line-height", "tab-size"],
  ...["padding-top", "padding-left", "padding-right", "word-break", "overflow-wrap"],
];

/** Distance of character `index` from the top of `area`, px, measured in a hidden copy of its text. */
function measureCharacterTop(area: HTMLTextAreaElement, index: number): number {
  const style = getComputedStyle(area);
  const mirror = document.createElement("div");
  for (const name of copiedStyles) mirror.style.setProperty(name, style.getPropertyValue(name));
  const layout = { boxSizing: "border-box", position: "absolute", whiteSpace: "pre-wrap" };
  Object.assign(mirror.style, layout, { visibility: "hidden", width: `${area.clientWidth}px` });
  const mark = document.createElement("span");
  mark.textContent = "\u200b";
  mirror.append(area.value.slice(0, index), mark);
  document.body.append(mirror);
  const top = mark.offsetTop;
  mirror.remove();
  return top;
}
