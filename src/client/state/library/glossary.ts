import { queryOptions } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { callServer } from "#client/lib/call-server.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import { openLectures } from "#client/state/recording.ts";
import { trpc } from "#client/state/trpc.ts";
import type { Glossary, GlossaryTerm, TermChange } from "#shared/glossary.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { termsPerChangeMax } from "#shared/limits.ts";

/** The glossaries of folders: cached, changed at once on the page, and read again in other tabs. */

const getKey = (folderId: string | null) => getQueryKey(api.glossary.get, { folderId }, "query");

/** The terms of a folder and of those above it; null: of the whole library. */
export const useGlossary = (folderId: string | null) =>
  api.glossary.get.useQuery({ folderId }, { refetchOnWindowFocus: "always" });

/** The same, for where it may be wanted or not. */
export const glossaryQuery = (folderId: string | null) =>
  queryOptions({
    queryKey: getKey(folderId),
    queryFn: () => trpc.glossary.get.query({ folderId }),
    staleTime: 60_000,
  });

/** The same outside React. @throws ApiError */
export const fetchGlossary = (folderId: string | null): Promise<Glossary> =>
  callServer(() => queryClient.fetchQuery(glossaryQuery(folderId)));

const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("glossary");
otherTabs?.addEventListener("message", () => {
  if (runningCount === 0) refresh();
});

/** Reads all glossaries again that something shows, and those of open lectures. */
function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: getQueryKey(api.glossary) });
  for (const lecture of openLectures.get().values()) lecture.refreshTerms();
}

/** Glossaries have changed: what uses them reads them again, here and in other tabs. */
export function refreshGlossaries(): void {
  // While a change is pending, the server's terms are older than the page's.
  if (runningCount === 0) refresh();
  otherTabs?.postMessage(null);
}

let lastRequest: Promise<unknown> = Promise.resolve();
let runningCount = 0;

/**
 * Changes the glossary of a folder, at once on the page. Requests go out one after the other, in order.
 *
 * @throws ApiError after the page shows what was there before
 */
export async function changeGlossary(
  folderId: string | null,
  changes: readonly TermChange[],
): Promise<void> {
  runningCount += 1;
  await queryClient.cancelQueries({ queryKey: getQueryKey(api.glossary) });
  const undo = updateCached(folderId, changes);
  const request = lastRequest.then(() => send(folderId, changes));
  lastRequest = request.catch(() => {});
  try {
    await request;
  } catch (failure) {
    // Without a network nothing is read again.
    updateCached(folderId, undo);
    throw failure;
  } finally {
    runningCount -= 1;
    refreshGlossaries();
  }
}

async function send(folderId: string | null, changes: readonly TermChange[]): Promise<void> {
  // Deletions first: a term may take the name of one that is deleted.
  for (const list of [
    changes.filter(({ isDeleted }) => isDeleted),
    changes.filter(({ isDeleted }) => !isDeleted),
  ])
    for (let from = 0; from < list.length; from += termsPerChangeMax) {
      const part = list.slice(from, from + termsPerChangeMax);
      await callServer(() => trpc.glossary.change.mutate({ folderId, changes: part }));
    }
}

/** Returns the changes that undo `changes`, as far as a cached glossary has the folder. */
function updateCached(folderId: string | null, changes: readonly TermChange[]): TermChange[] {
  const queryKey = getQueryKey(api.glossary);
  const cached = queryClient.getQueriesData<Glossary>({ queryKey });
  const before = cached.find(([, glossary]) => glossary?.folderIds.includes(folderId))?.[1];
  queryClient.setQueriesData<Glossary>(
    { queryKey },
    (glossary) => glossary && applyChanges(glossary, folderId, changes),
  );
  return before ? invertChanges(before, changes) : [];
}

/** The changes that undo `changes` of `glossary`. */
export function invertChanges({ terms }: Glossary, changes: readonly TermChange[]): TermChange[] {
  const before = new Map(terms.map((term) => [term.id, term]));
  return changes.map((change): TermChange => {
    const term = before.get(change.id);
    if (!term) return { id: change.id, isDeleted: true };
    const { folderId: _, ...former } = term;
    if (change.isDeleted) return former;
    const names = Object.keys(change) as (keyof typeof former)[];
    const texts = Object.keys(change.translations ?? {}) as TranslationLanguage[];
    return {
      ...Object.fromEntries(names.map((name) => [name, former[name]])),
      id: change.id,
      ...(change.translations && {
        translations: Object.fromEntries(texts.map((one) => [one, term.translations[one] ?? null])),
      }),
    };
  });
}

/** What `glossary` is after `changes` of folder `folderId`, if it has that folder. */
export function applyChanges(
  glossary: Glossary,
  folderId: string | null,
  changes: readonly TermChange[],
): Glossary {
  if (!glossary.folderIds.includes(folderId)) return glossary;
  const terms = new Map(glossary.terms.map((term) => [term.id, term]));
  for (const change of changes) {
    if (change.isDeleted) {
      terms.delete(change.id);
      continue;
    }
    const { translations = {}, ...fields } = change;
    const before = terms.get(change.id) ?? createTerm(change.id, folderId);
    const texts = Object.entries({ ...before.translations, ...translations }).filter(
      ([, text]) => text !== null,
    );
    terms.set(change.id, { ...before, ...fields, translations: Object.fromEntries(texts) });
  }
  return { ...glossary, terms: [...terms.values()] };
}

/** A new term of a folder, still without its text. */
export const createTerm = (id: string, folderId: string | null): GlossaryTerm => ({
  id,
  folderId,
  language: "en",
  term: "",
  translations: {},
  note: "",
  origin: { kind: "person", name: "" },
  position: 0,
  isLeftOut: false,
});
