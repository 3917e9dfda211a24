import type { SessionApi } from "#client/lecture/server-api.ts";
import type { Observable } from "#client/lib/observable.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";

type Translate = SessionApi["translate"];

/**
 * `translate` that gives with each sentence the agreed translations of its terms, in the state of `terms` when it is
 * sent. The rules for terms are loaded with the first one; a sentence is translated without them if that fails.
 */
export function withTerms(
  translate: Translate,
  terms: Observable<readonly GlossaryTerm[]>,
): Translate {
  return async (input, signal) => {
    const current = terms.get();
    if (current.length === 0) return translate(input, signal);
    const found = await import("#shared/find-terms.ts").then(
      ({ getTermFinder }) => getTermFinder(current).findInSlices(input),
      () => [],
    );
    return translate(found.length === 0 ? input : { ...input, terms: found }, signal);
  };
}
