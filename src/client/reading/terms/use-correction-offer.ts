import { useEffect, useEffectEvent } from "react";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toast } from "#client/lib/notifications.ts";
import { type CorrectedRow, correctedRow } from "#client/reading/reading-state.ts";
import { type GlossaryTerm, getTermKey } from "#shared/glossary.ts";
import { type CorrectedTerm, findCorrectedTerm } from "./corrected-term.ts";
import { t } from "./messages/index.ts";

/** Terms that were offered since the page was loaded. */
const offered = new Set<string>();

/** The term of a correction that is not in `terms`, with that translation where it was corrected; null without one. */
function findNewTerm(
  { before, after }: CorrectedRow,
  terms: readonly GlossaryTerm[],
  commonWords: ReadonlySet<string>,
): CorrectedTerm | null {
  const found = findCorrectedTerm(before, after, before.spokenIn, commonWords);
  if (found === null) return null;
  const isKnown = terms.some(({ language, term, translations }) => {
    if (language !== before.spokenIn) return false;
    if (found.term !== "") return getTermKey(term) === getTermKey(found.term);
    const texts = Object.values(translations);
    return texts.some((text) => getTermKey(text) === getTermKey(found.translation ?? ""));
  });
  return isKnown ? null : found;
}

/** After a correction that may be a term's, offers it once for the glossary. Nothing is added without the person. */
export function useCorrectionOffer(
  terms: readonly GlossaryTerm[],
  isEnabled: boolean,
  onAccept: (found: CorrectedTerm, row: TranscriptRow) => void,
): void {
  const correction = useValue(correctedRow);
  const offer = useEffectEvent((corrected: CorrectedRow, commonWords: ReadonlySet<string>) => {
    const found = findNewTerm(corrected, terms, commonWords);
    if (found === null) return;
    const words = found.term || (found.translation ?? "");
    const key = `${corrected.before.spokenIn} ${getTermKey(words)}`;
    if (offered.has(key)) return;
    offered.add(key);
    toast({
      kind: "info",
      title: t("words.offer", { term: words }),
      action: {
        label: t("words.save"),
        run: () => onAccept(found, { ...corrected.before, ...corrected.after }),
      },
    });
  });
  useEffect(() => {
    if (correction === null) return;
    correctedRow.set(null);
    if (!isEnabled) return;
    import("#client/lib/frequency/common-words.ts").then(
      ({ readCommonWords }) => offer(correction, readCommonWords(correction.before.spokenIn)),
      (failure: unknown) => console.warn("common words not loaded", failure),
    );
  }, [correction, isEnabled]);
}
