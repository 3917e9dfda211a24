import type { InterfaceLanguage } from "#client/i18n/bundle.ts";

/** A number with exactly `decimals` decimals: `1,234.50`. */
export const formatNumber = (value: number, language: InterfaceLanguage, decimals = 0): string =>
  value.toLocaleString(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
