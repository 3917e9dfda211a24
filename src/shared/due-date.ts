import { normalize } from "./normal-form.ts";

/**
 * The day that somebody has named with words, in English or Chinese. No model calculates it: either the words name one day
 * by these rules, or none is known.
 *
 * "Friday" is the next one after the day on which it is said, "next Friday" that of the next calendar week, which begins on
 * Monday, and so is 下周五. A date without a year is the first such day that is not over. "Before Friday" names Friday.
 */

const dayMs = 86_400_000;
/** A longer text names no day. */
const wordsMaxLength = 100;
/** Years within which 29 February comes again. */
const leapYearsMax = 8;

/** Days since 1970. */
type Day = number;

const toDay = (year: number, month: number, date: number): Day =>
  Date.UTC(year, month - 1, date) / dayMs;
const toDate = (day: Day) => new Date(day * dayMs);
const getYear = (day: Day) => toDate(day).getUTCFullYear();
/** 1 to 12. */
const getMonth = (day: Day) => toDate(day).getUTCMonth() + 1;
/** 1, Monday, to 7. */
const getWeekday = (day: Day) => toDate(day).getUTCDay() || 7;
const getMonthLength = (year: number, month: number) =>
  toDate(toDay(year, month + 1, 0)).getUTCDate();

/** Null for a date that its month does not have, and for years that nobody means. */
const findDate = (year: number, month: number, date: number): Day | null =>
  year >= 1900 && month >= 1 && month <= 12 && date >= 1 && date <= getMonthLength(year, month)
    ? toDay(year, month, date)
    : null;

/** The same date some months later, or the last one of a shorter month. */
function addMonths(day: Day, count: number): Day {
  const first = toDate(toDay(getYear(day), getMonth(day) + count, 1));
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
  return toDay(year, month, Math.min(toDate(day).getUTCDate(), getMonthLength(year, month)));
}

/** The last day of the month that begins `months` after that of `today`. */
const endMonth = (today: Day, months: number): Day =>
  toDay(getYear(today), getMonth(today) + months + 1, 0);

/** The first day with this date that is not before `today`. */
function findNextDate(today: Day, month: number, date: number): Day | null {
  for (let year = getYear(today); year <= getYear(today) + leapYearsMax; year += 1) {
    const day = findDate(year, month, date);
    if (day !== null && day >= today) return day;
  }
  return null;
}

/** The next day of a month with this number that is not before `today`; months without it are passed over. */
function findNextDayOfMonth(today: Day, date: number): Day | null {
  for (let months = 0; months <= 2; months += 1) {
    const first = toDate(toDay(getYear(today), getMonth(today) + months, 1));
    const day = findDate(first.getUTCFullYear(), first.getUTCMonth() + 1, date);
    if (day !== null && day >= today) return day;
  }
  return null;
}

/** The weekday of the calendar week that begins `weeks` after that of `today`. */
const findInWeek = (today: Day, weekday: number, weeks: number): Day =>
  today - getWeekday(today) + weekday + 7 * weeks;

/** The first such weekday after `today`. */
const findNextWeekday = (today: Day, weekday: number): Day =>
  today + ((weekday - getWeekday(today) + 6) % 7) + 1;

/** Null for a day that is over. */
const notOver = (day: Day, today: Day): Day | null => (day < today ? null : day);

type Unit = "day" | "week" | "month" | "year";

function addUnits(today: Day, count: number, unit: Unit): Day {
  switch (unit) {
    case "day":
      return today + count;
    case "week":
      return today + 7 * count;
    case "month":
      return addMonths(today, count);
    case "year":
      return addMonths(today, 12 * count);
    default:
      return unit satisfies never;
  }
}

/** What a rule's groups name, said on `today`. */
type Rule = [pattern: RegExp, find: (groups: Record<string, string>, today: Day) => Day | null];

function applyRules(rules: readonly Rule[], words: string, today: Day): Day | null {
  for (const [pattern, find] of rules) {
    const match = pattern.exec(words);
    if (match) return find({ ...match.groups }, today);
  }
  return null;
}

const list = (words: string) => words.split(" ");
const weekdays = list("monday tuesday wednesday thursday friday saturday sunday");
const months = list(
  "january february march april may june july august september october november december",
);
const numbers = list("one two three four five six seven eight nine ten eleven twelve");

const weekdayName = `(?<weekday>${weekdays.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|tues|thur|thurs)`;
const monthName = `(?<month>${months.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)`;
const dateNumber = String.raw`(?<date>\d{1,2})(?:st|nd|rd|th)?`;
const yearNumber = String.raw`(?: (?<year>\d{4}))?`;
const count = String.raw`(?<count>\d{1,3}|an?|a couple of|${numbers.join("|")})`;

const startsWith = (names: readonly string[], name: string) =>
  names.findIndex((one) => one.startsWith(name.slice(0, 3))) + 1;
const readWeekday = ({ weekday = "" }) => startsWith(weekdays, weekday);

function readCount({ count: words = "" }): number {
  if (words === "a couple of") return 2;
  if (/^an?$/.test(words)) return 1;
  return numbers.indexOf(words) + 1 || Number(words);
}

/** With a weekday before it, a date that is not on it names no day. */
function readDate({ weekday, month = "", date, year }: Record<string, string>, today: Day) {
  const number = startsWith(months, month);
  const day = year
    ? findDate(Number(year), number, Number(date))
    : findNextDate(today, number, Number(date));
  if (day === null || (weekday && getWeekday(day) !== startsWith(weekdays, weekday))) return null;
  return day;
}

const inEnglish: readonly Rule[] = [
  [/^(?:today|tonight|this (?:morning|afternoon|evening))$/, (_, today) => today],
  [/^tomorrow$/, (_, today) => today + 1],
  [/^day after tomorrow$/, (_, today) => today + 2],
  [
    new RegExp(
      `^(?:(?:in|within)(?: next)? ${count} (?<unit>day|week|month|year)s?|${count.replace("count", "count2")} (?<unit2>day|week|month|year)s? from (?:now|today))$`,
    ),
    ({ count: first, unit, count2, unit2 }, today) =>
      addUnits(today, readCount({ count: first ?? count2 ?? "" }), (unit ?? unit2) as Unit),
  ],
  [/^(?:(?:in|within) a fortnight|a fortnight from (?:now|today))$/, (_, today) => today + 14],
  [
    new RegExp(
      `^(?:next week(?: on)? ${weekdayName}|${weekdayName.replace("weekday", "other")}(?: of)? next week|next ${weekdayName.replace("weekday", "third")})$`,
    ),
    ({ weekday, other, third }, today) =>
      findInWeek(today, readWeekday({ weekday: weekday ?? other ?? third ?? "" }), 1),
  ],
  [
    new RegExp(
      `^(?:a week from (?:on )?${weekdayName}|${weekdayName.replace("weekday", "other")} week)$`,
    ),
    ({ weekday, other }, today) =>
      findNextWeekday(today, readWeekday({ weekday: weekday ?? other ?? "" })) + 7,
  ],
  [
    new RegExp(`^(?:${weekdayName}(?: of)? this week)$`),
    (groups, today) => notOver(findInWeek(today, readWeekday(groups), 0), today),
  ],
  // On a Friday "this Friday" is that day.
  [
    new RegExp(`^this (?:coming )?${weekdayName}$`),
    (groups, today) => findNextWeekday(today - 1, readWeekday(groups)),
  ],
  [
    new RegExp(`^(?:coming )?${weekdayName}$`),
    (groups, today) => findNextWeekday(today, readWeekday(groups)),
  ],
  [/^end of (?:this )?month$/, (_, today) => endMonth(today, 0)],
  [/^end of next month$/, (_, today) => endMonth(today, 1)],
  [/^end of (?:this )?year$/, (_, today) => toDay(getYear(today), 12, 31)],
  [
    new RegExp(`^end of ${monthName}$`),
    ({ month = "" }, today) =>
      endMonth(today, (startsWith(months, month) - getMonth(today) + 12) % 12),
  ],
  [new RegExp(`^(?:${weekdayName} )?${dateNumber}(?: of)? ${monthName}${yearNumber}$`), readDate],
  [new RegExp(`^(?:${weekdayName} )?${monthName} ${dateNumber}${yearNumber}$`), readDate],
  [
    /^(?<date>\d{1,2})(?:st|nd|rd|th)(?: of (?:this )?month)?$/,
    ({ date }, today) => findNextDayOfMonth(today, Number(date)),
  ],
];

const clockTime = String.raw`(?:\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)|\d{1,2}:\d\d|noon|midday|midnight|lunch(?:time)?)`;
const partOfDay = "(?:early |late )?(?:morning|afternoon|evening|night|noon)";
const before =
  /^(?:due|no later than|not later than|at latest|latest|by|before|until|till|on|sometime)\s+/;
const dayEnd = /^(?:end of (?:business )?day|eod|cob|close of business)(?:$|(?: (?:on|of|by))? )/;
/** The end of a day that is named. */
const endOf = new RegExp(`^end of (?=today|tomorrow|(?:next |this )?(?:${weekdays.join("|")}))`);
const timeBefore = new RegExp(`^(?:at )?${clockTime} `);
const timeBehind = new RegExp(
  String.raw` (?:(?:at|by|before|until) (?:${clockTime}|\d{1,2})|(?:in |at )?${partOfDay}|at latest|latest|or (?:earlier|sooner)|end of day|eod|please)$`,
);

function findEnglish(words: string, today: Day): Day | null {
  let rest = words
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\b([ap])\.m\b\.?/g, "$1m")
    .replace(/[,;.!?]|\bthe\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  let isDayEnd = false;
  // "By 5 pm on Friday in the morning at the latest": each part once or twice.
  for (let round = 0; round < 3; round += 1) {
    rest = rest.replace(before, "");
    isDayEnd ||= dayEnd.test(rest);
    rest = rest
      .replace(dayEnd, "")
      .replace(endOf, "")
      .replace(timeBefore, "")
      .replace(timeBehind, "");
  }
  return isDayEnd && rest === "" ? today : applyRules(inEnglish, rest, today);
}

const chineseDigits = "一二三四五六七八九";
const chineseNumber = String.raw`(?:\d{1,4}|[一二两三四五六七八九十]{1,3})`;

/** 一 to 九十九, or digits; NaN for what is no number. */
function readChinese(number = ""): number {
  if (/^\d+$/.test(number)) return Number(number);
  const [, tens, ten, ones = ""] =
    /^([一二两三四五六七八九]?)(十?)([一二两三四五六七八九]?)$/u.exec(number) ?? [];
  const toDigit = (digit = "") => chineseDigits.indexOf(digit === "两" ? "二" : digit) + 1;
  if (ten) return 10 * (tens ? toDigit(tens) : 1) + (ones ? toDigit(ones) : 0);
  return number.length === 1 ? toDigit(number) || Number.NaN : Number.NaN;
}

const readChineseWeekday = (name = "") => (/[日天]/.test(name) ? 7 : readChinese(name));
const chineseUnits: Record<string, Unit> = {
  天: "day",
  日: "day",
  周: "week",
  月: "month",
  年: "year",
};

const inChinese: readonly Rule[] = [
  [/^今[天日]?$/, (_, today) => today],
  [/^明[天日儿]?$/, (_, today) => today + 1],
  [/^后[天日]$/, (_, today) => today + 2],
  [/^大后[天日]$/, (_, today) => today + 3],
  [
    /^(?<which>这个?|本|下{0,2}个?)周(?<weekday>[一二三四五六日天1-6])$/,
    ({ which = "", weekday }, today) => {
      const number = readChineseWeekday(weekday);
      const weeks = which.split("下").length - 1;
      if (weeks > 0) return findInWeek(today, number, weeks);
      if (which === "") return findNextWeekday(today, number);
      return which === "个" ? null : notOver(findInWeek(today, number, 0), today);
    },
  ],
  [
    new RegExp(`^(?<count>${chineseNumber})个?(?<unit>[天日周月年])(?:之|以)?[后内]$`, "u"),
    ({ count: number, unit = "" }, today) => {
      const units = readChinese(number);
      return units <= 999 ? addUnits(today, units, chineseUnits[unit] ?? "day") : null;
    },
  ],
  [/^(?:这个?|本)?月底$/, (_, today) => endMonth(today, 0)],
  [/^下个?月底$/, (_, today) => endMonth(today, 1)],
  [/^今?年底$/, (_, today) => toDay(getYear(today), 12, 31)],
  [
    new RegExp(`^(?<month>${chineseNumber})月底$`, "u"),
    ({ month }, today) => {
      const number = readChinese(month);
      return number >= 1 && number <= 12
        ? endMonth(today, (number - getMonth(today) + 12) % 12)
        : null;
    },
  ],
  [
    new RegExp(
      String.raw`^(?:(?<year>\d{4})年|(?<which>今年|明年))?(?<month>${chineseNumber})月(?<date>${chineseNumber})[日号]?$`,
      "u",
    ),
    ({ year, which, ...groups }, today) => {
      const [month, date] = [readChinese(groups.month), readChinese(groups.date)];
      if (year) return findDate(Number(year), month, date);
      if (which) return findDate(getYear(today) + Number(which === "明年"), month, date);
      return findNextDate(today, month, date);
    },
  ],
  [
    new RegExp(`^(?<which>这个?月|本月|下个?月)?(?<date>${chineseNumber})[日号]$`, "u"),
    ({ which, date }, today) => {
      const number = readChinese(date);
      if (!which) return findNextDayOfMonth(today, number);
      const first = endMonth(today, which.startsWith("下") ? 0 : -1) + 1;
      return findDate(getYear(first), getMonth(first), number);
    },
  ],
];

/** Of the words that these rules read. */
const simplified: Record<string, string> = {
  後: "后",
  週: "周",
  禮: "礼",
  號: "号",
  個: "个",
  兩: "两",
  內: "内",
  點: "点",
  這: "这",
  鐘: "钟",
  於: "于",
  遲: "迟",
  為: "为",
};

const chineseBefore = /^(?:最晚|最迟|不晚于|截止到?|截至|赶在|到|在|于)+/u;
const chineseTime = new RegExp(
  String.raw`(?:一?早上?|上午|中午|下午|傍晚|晚上?|夜里|半夜)?(?:${chineseNumber}(?:点(?:半|钟|整|${chineseNumber}分)?|:\d\d))?(?:下班|下课)?$`,
  "u",
);

function findChinese(words: string, today: Day): Day | null {
  const rest = words
    .replace(/\s+/gu, "")
    .replace(/[後週禮號個兩內點這鐘於遲為]/gu, (letter) => simplified[letter] ?? letter)
    .replace(/星期|礼拜/gu, "周")
    .replace(/[,.;。，；、！!？?]+$/u, "")
    .replace(chineseBefore, "")
    .replace(/为止$/u, "")
    .replace(/(?:之|以)?前$/u, "");
  return applyRules(inChinese, rest.replace(chineseTime, ""), today);
}

/**
 * The day that `words` name, ISO 8601. Null where they name none, or one of several.
 *
 * @param today the day on which they are said, ISO 8601
 */
export function resolveDueDate(words: string, today: string): string | null {
  if (words.length > wordsMaxLength) return null;
  const said = normalize(words, "NFKC").trim();
  const day = toDay(...(today.split("-").map(Number) as [number, number, number]));
  const iso = /(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(said);
  const found = iso
    ? findDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    : /\p{Script=Han}/u.test(said)
      ? findChinese(said, day)
      : findEnglish(said, day);
  return found === null ? null : toDate(found).toISOString().slice(0, 10);
}

/** The day of a moment in a time zone, ISO 8601. @throws RangeError for an unknown zone */
export function toDayIn(moment: Date, timeZone: string): string {
  // Swedish dates are those of ISO 8601.
  return moment.toLocaleDateString("sv", { timeZone });
}
