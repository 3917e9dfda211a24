import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import type { SpokenLanguage } from "#shared/languages.ts";

export const joinOriginals = (rows: readonly TranscriptRow[]): string =>
  rows.map((row) => row.original).join(" ");

/** The languages of the rows, the one of most rows first. */
export function listLanguages(rows: readonly TranscriptRow[]): SpokenLanguage[] {
  const counts = new Map<SpokenLanguage, number>();
  for (const { spokenIn } of rows) counts.set(spokenIn, (counts.get(spokenIn) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([language]) => language);
}
