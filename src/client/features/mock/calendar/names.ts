import type { InterfaceLanguage } from "#client/i18n/bundle.ts";
import type { Day } from "./calendar.ts";

const locales: Record<InterfaceLanguage, string> = { en: "en-US", zh: "zh-CN" };

/** Formats a day in the interface's language. A day has no time zone: it is parsed and formatted in UTC. */
function createDayFormatter(options: Intl.DateTimeFormatOptions) {
  const createFormat = (language: InterfaceLanguage) =>
    new Intl.DateTimeFormat(locales[language], { ...options, timeZone: "UTC" });
  const formats = { en: createFormat("en"), zh: createFormat("zh") };
  return (day: Day, language: InterfaceLanguage) =>
    formats[language].format(new Date(`${day}T00:00:00Z`));
}

export const formatMonth = createDayFormatter({ year: "numeric", month: "long" });

export const formatLongDay = createDayFormatter({
  year: "numeric",
  month: "long",
  day: "numeric",
  weekday: "long",
});
