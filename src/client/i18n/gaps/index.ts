import { createMessages } from "#client/i18n/bundle.ts";
import { formatClock } from "#client/lib/dates.ts";
import type { Gap } from "#shared/recorded-take.ts";

export const gapMessages = createMessages({
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
});

type Translate = typeof gapMessages.t;

/** Whole seconds below a minute, at least 1; otherwise as a clock shows it. */
export function formatLength(t: Translate, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 60 ? t("gap.seconds", { seconds }) : formatClock(seconds);
}

export function formatGap(t: Translate, { lengthMs, reason }: Gap): string {
  const text = t(`gap.${reason}`);
  if (lengthMs === null) return t("gap.open", { reason: text });
  return t("gap.text", { length: formatLength(t, lengthMs), reason: text });
}
