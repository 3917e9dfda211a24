import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { type FoundMeaning, type LookUpInput, lookUp } from "#client/state/look-up.ts";
import { Button } from "#client/ui/button.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import type { GlossaryTerm } from "#shared/glossary.ts";
import {
  getTextLanguage,
  getTranslationTag,
  isSameLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { Card } from "./card.tsx";
import { useT } from "./messages/index.ts";

interface LookUpCardProps {
  input: LookUpInput;
  page: RefObject<HTMLElement | null>;
  range: Range;
  /** Of the lecture's glossary. */
  existing: GlossaryTerm | null;
  /** Null for a guest, who has no glossary. */
  onAdd: ((translation: string) => void) | null;
  onClose: () => void;
}

type Answer = { found: FoundMeaning } | { failure: string };

/** What words mean in their sentence. What the glossary has of them is shown at once. */
export function LookUpCard({ input, page, range, existing, onAdd, onClose }: LookUpCardProps) {
  const t = useT();
  const { answer, retry } = useLookUp(input);
  const found = answer && "found" in answer ? answer.found : null;
  const isTranslated = !isSameLanguage(input.language, input.translateInto);
  const agreed = existing?.translations[input.translateInto];
  return (
    <Card title={t("words.lookUp")} page={page} range={range} isLight onClose={onClose}>
      <div className="grid gap-1">
        <p {...getTextLanguage(input.language)} className="font-semibold text-md wrap-anywhere">
          {input.words}
        </p>
        {existing ? <OwnEntry entry={existing} language={input.translateInto} /> : null}
        {/* As high as it will be. */}
        {isTranslated && !agreed ? (
          <p
            {...getTextLanguage(getTranslationTag(input.translateInto))}
            className="min-h-6 text-ink-2 wrap-anywhere"
          >
            {found ? (
              found.translation || <Muted>{t("words.noTranslation")}</Muted>
            ) : answer ? null : (
              <Skeleton className="my-1 h-4 w-24" />
            )}
          </p>
        ) : null}
      </div>
      <div role="status" aria-busy={answer === null} className="min-h-18 text-sm leading-relaxed">
        {answer === null ? (
          <>
            <span className="sr-only">{t("words.searching")}</span>
            <Skeleton className="my-1 h-4 w-full" />
            <Skeleton className="my-1 h-4 w-full" />
            <Skeleton className="my-1 h-4 w-2/3" />
          </>
        ) : "failure" in answer ? (
          <Muted>{answer.failure}</Muted>
        ) : answer.found.meaning === null ? (
          <Muted>{t("words.needsModel")}</Muted>
        ) : (
          <p {...getTextLanguage(getTranslationTag(input.explainIn))} className="wrap-anywhere">
            {answer.found.meaning}
          </p>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {answer && "failure" in answer ? (
          <Button size="small" onClick={retry}>
            {t("common.retry")}
          </Button>
        ) : null}
        {onAdd ? (
          <Button look="ink" size="small" onClick={() => onAdd(found?.translation ?? "")}>
            {t(existing ? "words.change" : "words.add")}
          </Button>
        ) : null}
      </div>
    </Card>
  );
}

const Muted = ({ children }: { children: ReactNode }) => (
  <span className="text-ink-3">{children}</span>
);

function OwnEntry({ entry, language }: { entry: GlossaryTerm; language: TranslationLanguage }) {
  const t = useT();
  const agreed = entry.translations[language];
  return (
    <div className="grid gap-0.5 border-rule-strong border-s-2 ps-2.5 text-sm">
      <span className="text-ink-3 text-xs">{t("words.inGlossary")}</span>
      {agreed ? (
        <span {...getTextLanguage(getTranslationTag(language))} className="wrap-anywhere">
          {agreed}
        </span>
      ) : (
        <span {...getTextLanguage(entry.language)} className="wrap-anywhere">
          {entry.term}
        </span>
      )}
      {entry.note ? (
        <span dir="auto" className="whitespace-pre-wrap text-ink-2 wrap-anywhere">
          {entry.note}
        </span>
      ) : null}
    </div>
  );
}

/** Looks the words up that `input` has at first, and again by `retry`. Null until there is an answer. */
export function useLookUp(input: LookUpInput | null): { answer: Answer | null; retry: () => void } {
  const [first] = useState(input);
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (first === null) return;
    const call = new AbortController();
    const show = (next: Answer) => {
      if (!call.signal.aborted) setAnswer(next);
    };
    setAnswer(null);
    lookUp(first, call.signal).then(
      (found) => show({ found }),
      (failure: unknown) => show({ failure: getErrorMessage(failure) }),
    );
    return () => call.abort();
  }, [first, attempt]);
  return { answer, retry: () => setAttempt(attempt + 1) };
}
