import type { TranscriptRow } from "../../realtime/contract.ts";

/** What stands in the field for a translation; nothing where there is none yet. */
export const shownTranslation = (row: TranscriptRow): string =>
  row.translation === "done" ? row.translated : "";

/** A row is one line, however it was typed. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** What a person changed in `row`; null when that is nothing. A blank field changes nothing. */
export function correctionOf(
  row: TranscriptRow,
  typed: { english: string; translated: string },
): { english?: string; translated?: string } | null {
  const english = oneLine(typed.english);
  const translated = oneLine(typed.translated);
  const change = {
    ...(english !== "" && english !== row.english && { english }),
    ...(translated !== "" && translated !== shownTranslation(row) && { translated }),
  };
  return Object.keys(change).length > 0 ? change : null;
}
