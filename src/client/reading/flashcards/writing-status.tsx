import { useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { t as tCommon } from "#client/i18n/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { listAnswerLanguages } from "#client/reading/most-spoken.ts";
import { usePair } from "#client/reading/use-languages.ts";
import { useSiteInfo } from "#client/state/queries.tsx";
import { languageChoice, listLanguageEngines } from "#client/state/translators.ts";
import { Button } from "#client/ui/button.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { getLanguageName, getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";
import type { CardSource } from "./card-sources.ts";
import { type Translate, useT } from "./messages/index.ts";
import type { WritingState } from "./use-cards.ts";

interface WritingStatusProps {
  lecture: LectureDocument;
  sources: readonly CardSource[];
  writing: WritingState;
  write: (language: TranslationLanguage) => void;
  stop: () => void;
}

/** What cards can be made of, and how far the model is with the questions. */
export function WritingStatus({ lecture, sources, writing, write, stop }: WritingStatusProps) {
  const t = useT();
  const language = useLanguage();
  const { data: info } = useSiteInfo();
  const choice = useValue(languageChoice);
  const hasModel = info === undefined || listLanguageEngines(info, choice).includes("service");
  const rows = sources.map(({ row }) => row);
  const languages = listAnswerLanguages(usePair(lecture), rows);
  const [chosen, setChosen] = useState(languages[0] ?? "en");
  const { step, done } = writing;
  const total = sources.length;
  const terms = sources.filter(({ term }) => term !== null).length;
  const counts = [
    ...(total > terms ? [t("flashcards.marks", { count: total - terms })] : []),
    ...(terms > 0 ? [t("flashcards.terms", { count: terms })] : []),
  ].join(" · ");
  return (
    <div className="grid gap-3 rounded-m bg-paper-2 px-4 py-3">
      <div className="flex min-h-8 flex-wrap items-end gap-x-4 gap-y-3">
        <p
          role="status"
          className="tabular min-w-0 grow basis-60 self-center text-pretty text-ink-2 text-sm"
        >
          {hasModel ? describe(t, writing, { counts, total }) : t("flashcards.noModel", { counts })}
        </p>
        {hasModel && step !== "writing" && step !== "finished" && languages.length > 1 ? (
          <LabelledSegments<TranslationLanguage>
            label={t("flashcards.language")}
            value={chosen}
            options={languages.map((value) => ({
              value,
              label: getLanguageName(getTranslationTag(value), language),
            }))}
            onChange={setChosen}
          />
        ) : null}
        {!hasModel || step === "finished" ? null : step === "writing" ? (
          <Button size="small" onClick={stop}>
            {t("flashcards.stop")}
          </Button>
        ) : (
          <Button look="ink" size="small" onClick={() => write(chosen)}>
            {step === "ready"
              ? t("flashcards.write")
              : writing.problem === null
                ? t("flashcards.goOn")
                : tCommon("common.retry")}
          </Button>
        )}
      </div>
      {step === "writing" ? <ProgressBar value={done} max={total} /> : null}
    </div>
  );
}

function describe(
  t: Translate,
  { step, done, problem, written }: WritingState,
  { counts, total }: { counts: string; total: number },
): string {
  const rest = total - done;
  if (step === "ready") return t("flashcards.ready", { counts });
  if (step === "writing") return t("flashcards.writing", { done, total });
  if (step === "stopped")
    return problem === null
      ? t("flashcards.stopped", { count: rest })
      : t("flashcards.failed", { reason: tCommon(`error.${problem}`), count: rest });
  const missing = total - written;
  return [
    t("flashcards.written", { count: written }),
    ...(missing > 0 ? [t("flashcards.missing", { count: missing })] : []),
  ].join(" ");
}
