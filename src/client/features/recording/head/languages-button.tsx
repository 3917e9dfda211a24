import { ArrowLeftRight, ArrowRight, Languages } from "lucide-react";
import { useT } from "#client/features/recording/messages/index.ts";
import { isTextCardOpen } from "#client/features/recording/screen-state.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useT as useLanguagesT } from "#client/i18n/languages/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { useColumnNames, usePair } from "#client/reading/use-languages.ts";
import { Button } from "#client/ui/button.tsx";
import { getLanguageName } from "#shared/languages.ts";

const noRows: readonly [] = [];

/** What is spoken, and into what it is translated; it opens `TextCard`. On a phone the menu has it. */
export function LanguagesButton({ document }: { document: LectureDocument }) {
  const t = useT();
  const l = useLanguagesT();
  const nameTarget = useTargetName();
  const shownIn = useLanguage();
  const isOpen = useValue(isTextCardOpen);
  const pair = usePair(document);
  const isTwoWay = useField(document.view, "isTwoWay");
  const names = useColumnNames(pair, noRows);
  const source =
    pair.sourceLanguage === "detect"
      ? l("language.detect")
      : getLanguageName(pair.sourceLanguage, shownIn);
  const target = names.pair === null ? nameTarget("none") : nameTarget(pair.targetLanguage);
  const Arrow = isTwoWay ? ArrowLeftRight : ArrowRight;
  return (
    <Button
      look="quiet"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={t("record.text", { pair: names.pair ?? source })}
      onClick={() => isTextCardOpen.set(!isOpen)}
      className="h-9 min-w-0 shrink! px-2.5! text-ink-2! text-sm hover:text-ink! aria-expanded:bg-paper-3 max-[43.75rem]:hidden"
    >
      <span className="truncate max-book:hidden">{source}</span>
      <Arrow className="size-3.5 shrink-0 max-book:hidden" />
      <span className="truncate max-book:hidden">{target}</span>
      <Languages className="size-4.5 book:hidden" />
    </Button>
  );
}
