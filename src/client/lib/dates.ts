import type { InterfaceLanguage } from "#client/i18n/bundle.ts";

export { formatClock } from "#shared/clock-time.ts";

const locales = { en: "en-US", zh: "zh-CN" };

/** Creating one of the browser's formats takes a phone 20 ms, so each is created when it is first used. */
function createFormat(options: Intl.DateTimeFormatOptions) {
  const formats: Partial<Record<InterfaceLanguage, Intl.DateTimeFormat>> = {};
  return (iso: string, language: InterfaceLanguage): string => {
    formats[language] ??= new Intl.DateTimeFormat(locales[language], options);
    return formats[language].format(new Date(iso));
  };
}

/** `MMM d, yyyy`, in Chinese `2026年11月23日`. `iso` is an ISO 8601 moment. */
export const formatDay = createFormat({ month: "short", day: "numeric", year: "numeric" });

/** `Thu`, in Chinese `周四`. */
export const formatWeekday = createFormat({ weekday: "short" });

/** `Nov 19`, in Chinese `11月19日`. */
export const formatDayOfYear = createFormat({ month: "short", day: "numeric" });

/** `November`, in Chinese `十一月`. */
export const formatMonth = createFormat({ month: "long" });

/** `November 2025`, in Chinese `2025年11月`. */
export const formatMonthOfYear = createFormat({ month: "long", year: "numeric" });

const formatShortTime = createFormat({ timeStyle: "short" });

/** `h:mm a`, in Chinese `20:04`. Some engines put a narrow no-break space before AM. */
export const formatTime = (iso: string, language: InterfaceLanguage): string =>
  formatShortTime(iso, language).replaceAll("\u202f", " ");

/** Day and time in one text: `Nov 23, 2026, 8:04 PM`, in Chinese `2026年11月23日 20:04`. */
export const formatMoment = (iso: string, language: InterfaceLanguage): string =>
  [formatDay(iso, language), formatTime(iso, language)].join(language === "en" ? ", " : " ");

/** Whole hours and minutes of a duration in seconds; the rest of a minute is dropped. */
export function toHoursAndMinutes(totalSeconds: number): { hours: number; minutes: number } {
  const minutes = Math.floor(Math.max(0, totalSeconds) / 60);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** What is left of an allowance in minutes, rounded up. Null from 2 h on, where it is shown in hours. */
export function getMinutesLeft(usedSeconds: number, limitSeconds: number): number | null {
  const left = limitSeconds - usedSeconds;
  return left < 7_200 ? Math.max(0, Math.ceil(left / 60)) : null;
}
