import { useQuery } from "@tanstack/react-query";
import { lectureQuery } from "#client/state/library/cache.ts";
import { glossaryQuery } from "#client/state/library/glossary.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { useT } from "./messages/index.ts";
import { formatQuestion, useChosenQuestions } from "./use-first-questions.ts";

/** More would be a list to read. */
const examplesMax = 3;

/** Questions that the newest lecture of a folder, or of all, can answer: with its terms, its marks and its own words. */
export function useLibraryQuestions(folderId: string | null): string[] {
  const t = useT();
  const { lectures } = useLectures({ folderId: folderId ?? undefined });
  const newest = lectures.find(({ excerpt }) => excerpt !== "");
  const isFound = newest !== undefined;
  const { data: lecture } = useQuery({ ...lectureQuery(newest?.id ?? ""), enabled: isFound });
  const { data: glossary } = useQuery({
    ...glossaryQuery(newest?.folderId ?? null),
    enabled: isFound,
  });
  const isLoaded = lecture !== undefined && glossary !== undefined;
  const chosen = useChosenQuestions(isLoaded ? lecture.id : null, () => ({
    rows: lecture?.entries ?? [],
    terms: glossary?.terms ?? [],
    marks: lecture?.marks ?? [],
  }));
  return chosen.slice(0, examplesMax).map((question) => formatQuestion(question, t, false));
}
