import fc from "fast-check";
import { expect, it } from "vitest";
import { type CalendarItem, toCalendarFile } from "#client/reading/action-items/calendar-file.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const now = new Date("2026-05-06T22:30:15.250Z");
const item: CalendarItem = {
  id: "0b9f6c1e-5d0e-4a53-9a53-0c6a1f3a7d10",
  task: "Send the slides, all; by mail",
  who: "Anna",
  dueOn: "2026-12-31",
  isDone: false,
  notes: ["I'll send them.", "Course\\week\n3"],
  url: "https://dualect.example.org/record?lecture=x&row=1",
};

/** RFC 5545, 3.1: without the breaks of lines that go on. */
const unfold = (file: string) => file.replaceAll("\r\n ", "");

it("has a task for each item, and a day for each that is not done", () => {
  const done = { ...item, id: "done", who: null, isDone: true };
  const undated = { ...item, id: "undated", dueOn: null, notes: [] };
  const about = [
    "DTSTAMP:20260506T223015Z",
    String.raw`SUMMARY:Anna: Send the slides\, all\; by mail`,
    String.raw`DESCRIPTION:I'll send them.\nCourse\\week 3`,
    "URL:https://dualect.example.org/record?lecture=x&row=1",
  ];
  expect(unfold(toCalendarFile([item, done, undated], now)).split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Dualect//Action items//EN",
    "BEGIN:VTODO",
    `UID:${item.id}@dualect`,
    ...about,
    "DUE;VALUE=DATE:20261231",
    "STATUS:NEEDS-ACTION",
    "END:VTODO",
    "BEGIN:VEVENT",
    `UID:${item.id}-day@dualect`,
    ...about,
    "DTSTART;VALUE=DATE:20261231",
    "DTEND;VALUE=DATE:20270101",
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "BEGIN:VTODO",
    "UID:done@dualect",
    about[0],
    String.raw`SUMMARY:Send the slides\, all\; by mail`,
    ...about.slice(2),
    "DUE;VALUE=DATE:20261231",
    "STATUS:COMPLETED",
    "PERCENT-COMPLETE:100",
    "END:VTODO",
    "BEGIN:VTODO",
    "UID:undated@dualect",
    ...about.slice(0, 2),
    about[3],
    "STATUS:NEEDS-ACTION",
    "END:VTODO",
    "END:VCALENDAR",
    "",
  ]);
});

it("has lines of at most 75 bytes, in which no text begins another property", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 120 });
  const anyItem = fc.record({
    task: text,
    who: fc.option(text),
    notes: fc.array(text, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 3 }), (items) => {
      const file = toCalendarFile(
        items.map((one) => ({ ...item, ...one })),
        now,
      );
      const lines = file.split("\r\n");
      for (const line of lines) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        // A broken character would be U+FFFD.
        expect(Buffer.from(line).toString()).toBe(line);
        expect(line).not.toMatch(/[\r\n]/);
      }
      const names = unfold(file)
        .split("\r\n")
        .filter((line) => line !== "")
        .map((line) => /^[A-Z-]+(?=[:;])/.exec(line)?.[0]);
      expect(names).not.toContain(undefined);
      expect(names.filter((name) => name === "SUMMARY")).toHaveLength(2 * items.length);
    }),
    { numRuns: countRuns(300) },
  );
});
