import { oneLine } from "#client/lib/text.ts";
import type { ActionItem } from "#shared/action-item.ts";

/** RFC 5545, 3.1: bytes of a line without its end. */
const lineMaxBytes = 75;
const dayMs = 86_400_000;
const encoder = new TextEncoder();

/** An item with what a calendar shows of it. */
export interface CalendarItem extends Pick<ActionItem, "id" | "task" | "who" | "dueOn" | "isDone"> {
  /** Its sentences, its words for the time, the lecture's title. */
  notes: readonly string[];
  /** Of the lecture's page. */
  url: string;
}

/**
 * A calendar file (RFC 5545) with a task for each item, and for each one that is not done and has a day, an event of that
 * whole day as well: many calendars have no tasks. An item has the same ids in each file, so that another import updates it.
 */
export function toCalendarFile(items: readonly CalendarItem[], now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Dualect//Action items//EN",
    ...items.flatMap((item) => toComponents(item, stamp)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function toComponents({ id, task, who, dueOn, isDone, notes, url }: CalendarItem, stamp: string) {
  const title = who === null ? task : `${who}: ${task}`;
  const description = notes.map(oneLine).filter((note) => note !== "");
  const about = [
    `DTSTAMP:${stamp}`,
    `SUMMARY:${escapeText(oneLine(title))}`,
    ...(description.length > 0 ? [`DESCRIPTION:${description.map(escapeText).join("\\n")}`] : []),
    `URL:${url}`,
  ];
  const toDo = [
    "BEGIN:VTODO",
    `UID:${id}@dualect`,
    ...about,
    ...(dueOn === null ? [] : [`DUE;VALUE=DATE:${toCalendarDay(dueOn)}`]),
    ...(isDone ? ["STATUS:COMPLETED", "PERCENT-COMPLETE:100"] : ["STATUS:NEEDS-ACTION"]),
    "END:VTODO",
  ];
  if (dueOn === null || isDone) return toDo;
  return [
    ...toDo,
    "BEGIN:VEVENT",
    `UID:${id}-day@dualect`,
    ...about,
    `DTSTART;VALUE=DATE:${toCalendarDay(dueOn)}`,
    `DTEND;VALUE=DATE:${toCalendarDay(new Date(Date.parse(dueOn) + dayMs).toISOString().slice(0, 10))}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

const toCalendarDay = (day: string) => day.replaceAll("-", "");

/** 3.3.11 */
const escapeText = (text: string) => text.replace(/[\\;,]/g, "\\$&");

/** In lines of at most 75 bytes, which do not cut a character. */
function foldLine(line: string): string {
  const lines: string[] = [];
  let part = "";
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).byteLength;
    if (bytes + size > lineMaxBytes) {
      lines.push(part);
      // The space before a line that goes on.
      part = " ";
      bytes = 1;
    }
    part += character;
    bytes += size;
  }
  return [...lines, part].join("\r\n");
}
