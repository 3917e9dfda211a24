import { formatClock } from "#client/lib/dates.ts";
import type { ShownStatement } from "#client/reading/answers/shown-statements.ts";
import { noteMaxLength } from "#shared/limits.ts";

/** A recap as plain text, with the time of each statement's first row. Whole lines only, as many as a note may have. */
export function formatRecap(title: string, statements: readonly ShownStatement[]): string {
  let text = title;
  for (const { text: line, rows } of statements) {
    const time = rows[0] ? ` (${formatClock(rows[0].startMs / 1_000)})` : "";
    const next = `${text}\n• ${line}${time}`;
    if (next.length > noteMaxLength) break;
    text = next;
  }
  return text;
}
