import type { InterfaceLanguage } from "#client/i18n/bundle.ts";

/** When a month's hours begin again: months are counted in UTC, everywhere alike. */
export function getMonthEnd(now: number): Date {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

/** When a guest's time begins again. */
export function getDayEnd(now: number): Date {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1));
}

/**
 * The moment on the clock of `timeZone`, which is named: `Jan 1, 8:00 AM (GMT+8)`, in Chinese `1月1日 08:00（GMT+8）`.
 *
 * @param timeZone an IANA name; missing: the device's
 */
export function formatReset(at: Date, language: InterfaceLanguage, timeZone?: string): string {
  const locale = language === "en" ? "en-US" : "zh-CN";
  const zone = timeZone === undefined ? {} : { timeZone };
  const time = new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: language === "en" ? "numeric" : "2-digit",
    minute: "2-digit",
    ...zone,
  });
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: "short", ...zone }).formatToParts(
    at,
  );
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // Some engines put a narrow no-break space before AM.
  const text = time.format(at).replaceAll("\u202f", " ");
  return language === "en" ? `${text} (${name})` : `${text}（${name}）`;
}
