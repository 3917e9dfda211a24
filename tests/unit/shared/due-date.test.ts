import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveDueDate, toDayIn } from "#shared/due-date.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

/** A Wednesday. */
const wednesday = "2026-05-06";

describe("the day that words name, said on Wednesday 6 May 2026", () => {
  it.each([
    ["today", "2026-05-06"],
    ["tonight", "2026-05-06"],
    ["by the end of the day", "2026-05-06"],
    ["by EOD", "2026-05-06"],
    ["tomorrow", "2026-05-07"],
    ["by tomorrow morning", "2026-05-07"],
    ["tomorrow at 5 p.m.", "2026-05-07"],
    ["the day after tomorrow", "2026-05-08"],
    ["Friday", "2026-05-08"],
    ["by Friday", "2026-05-08"],
    ["By Friday.", "2026-05-08"],
    ["before Friday", "2026-05-08"],
    ["until Friday noon", "2026-05-08"],
    ["by the end of Friday", "2026-05-08"],
    ["on Friday at 17:30", "2026-05-08"],
    ["by 5 pm on Friday", "2026-05-08"],
    ["this Friday", "2026-05-08"],
    ["by Friday at the latest", "2026-05-08"],
    ["Wednesday", "2026-05-13"],
    ["this Wednesday", "2026-05-06"],
    ["Tuesday", "2026-05-12"],
    ["next Tuesday", "2026-05-12"],
    ["by next Friday", "2026-05-15"],
    ["Friday next week", "2026-05-15"],
    ["next week on Monday", "2026-05-11"],
    ["a week from Friday", "2026-05-15"],
    ["in two weeks", "2026-05-20"],
    ["within 10 days", "2026-05-16"],
    ["in a week", "2026-05-13"],
    ["three days from now", "2026-05-09"],
    ["in a month", "2026-06-06"],
    ["in a fortnight", "2026-05-20"],
    ["3 May", "2027-05-03"],
    ["by 6 May", "2026-05-06"],
    ["May 20th", "2026-05-20"],
    ["by the 20th of May", "2026-05-20"],
    ["on June 1, 2027", "2027-06-01"],
    ["Friday, May 8", "2026-05-08"],
    ["by the 15th", "2026-05-15"],
    ["by the 2nd", "2026-06-02"],
    ["the 31st", "2026-05-31"],
    ["29 February", "2028-02-29"],
    ["by the end of the month", "2026-05-31"],
    ["end of next month", "2026-06-30"],
    ["by the end of February", "2027-02-28"],
    ["by the end of the year", "2026-12-31"],
    ["by 2026-07-01", "2026-07-01"],
    ["今天下班前", "2026-05-06"],
    ["今晚", "2026-05-06"],
    ["明天", "2026-05-07"],
    ["明早九点", "2026-05-07"],
    ["明天下午三点之前", "2026-05-07"],
    ["后天", "2026-05-08"],
    ["大后天", "2026-05-09"],
    ["周五", "2026-05-08"],
    ["周五前", "2026-05-08"],
    ["星期五之前", "2026-05-08"],
    ["在这周五下班前", "2026-05-08"],
    ["本周日", "2026-05-10"],
    ["周三", "2026-05-13"],
    ["下周五", "2026-05-15"],
    ["下週五以前", "2026-05-15"],
    ["下个星期一", "2026-05-11"],
    ["下下周二", "2026-05-19"],
    ["三天内", "2026-05-09"],
    ["三天之后", "2026-05-09"],
    ["两周后", "2026-05-20"],
    ["两个星期内", "2026-05-20"],
    ["一个月后", "2026-06-06"],
    ["十二天后", "2026-05-18"],
    ["5月20号", "2026-05-20"],
    ["五月三号", "2027-05-03"],
    ["2027年5月3日", "2027-05-03"],
    ["明年三月一号", "2027-03-01"],
    ["二十号之前", "2026-05-20"],
    ["下个月3号", "2026-06-03"],
    ["月底前", "2026-05-31"],
    ["下个月底", "2026-06-30"],
    ["六月底", "2026-06-30"],
    ["年底之前", "2026-12-31"],
  ])("%s: %s", (words, day) => {
    expect(resolveDueDate(words, wednesday)).toBe(day);
  });

  it.each([
    "",
    "the",
    ".",
    "soon",
    "next week",
    "the weekend",
    "by the end of the week",
    "in a few days",
    "in three working days",
    "two days ago",
    "last Friday",
    "Friday or Monday",
    "the Friday after next",
    "after Friday",
    "Monday, May 8",
    "31 June",
    "by the 32nd",
    "5/6",
    "2026-02-30",
    "1 May 0050",
    "0050年5月1日",
    "maybe",
    "尽快",
    "下周",
    "下个月",
    "周末",
    "本周一",
    "两天前",
    "三天",
    "13月1号",
    "周五或者周一",
    "半个月后",
    "am Freitag",
  ])("%s: none", (words) => {
    expect(resolveDueDate(words, wednesday)).toBeNull();
  });

  it.each([
    ["2026-01-31", "in a month", "2026-02-28"],
    ["2028-01-31", "一个月内", "2028-02-29"],
    ["2026-12-31", "tomorrow", "2027-01-01"],
    // Weeks begin on Monday.
    ["2026-05-10", "next Monday", "2026-05-11"],
    ["2026-05-10", "下周一", "2026-05-11"],
    ["2026-05-10", "周日", "2026-05-17"],
    ["2026-05-11", "next Friday", "2026-05-22"],
  ])("said on %s, %s: %s", (today, words, day) => {
    expect(resolveDueDate(words, today)).toBe(day);
  });
});

const anyDay = fc
  .date({
    min: new Date("2000-01-01"),
    max: new Date("2099-12-31"),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));
const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

it("names with a weekday one of the seven days after, in both languages the same", () => {
  fc.assert(
    fc.property(anyDay, fc.nat(6), (today, weekday) => {
      const day = resolveDueDate(`by ${names[weekday]}`, today) ?? "";
      const name = new Date(day).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
      expect(name).toBe(names[weekday]);
      const days = (Date.parse(day) - Date.parse(today)) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(1);
      expect(days).toBeLessThanOrEqual(7);
      const chinese = "一二三四五六日"[weekday];
      expect(resolveDueDate(`周${chinese}前`, today)).toBe(day);
      const next = resolveDueDate(`next ${names[weekday]}`, today);
      expect(resolveDueDate(`下周${chinese}`, today)).toBe(next);
    }),
    { numRuns: countRuns(300) },
  );
});

it("finds each date again by its name", () => {
  fc.assert(
    fc.property(anyDay, anyDay, (today, day) => {
      const [year, month, date] = day.split("-").map(Number);
      const inEnglish = new Date(day).toLocaleDateString("en", {
        dateStyle: "long",
        timeZone: "UTC",
      });
      expect(resolveDueDate(inEnglish, today)).toBe(day);
      expect(resolveDueDate(`${year}年${month}月${date}日`, today)).toBe(day);
    }),
    { numRuns: countRuns(300) },
  );
});

it("takes any words, and answers with a day or none", () => {
  const pieces = [
    ..."今明后大下本周月号日天年前内底一二十点 ",
    "by ",
    "next ",
    "Friday ",
    "in ",
    "31 ",
    "th ",
    "of ",
  ];
  const words = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(words, anyDay, (text, today) => {
      const day = resolveDueDate(text, today);
      if (day !== null) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
    }),
    { numRuns: countRuns(1_000) },
  );
});

it("knows the day of a moment in a time zone", () => {
  const moment = new Date("2026-05-06T22:30:00Z");
  expect(toDayIn(moment, "Asia/Shanghai")).toBe("2026-05-07");
  expect(toDayIn(moment, "America/New_York")).toBe("2026-05-06");
  expect(() => toDayIn(moment, "Nowhere/City")).toThrow(RangeError);
});
