import { createMessages } from "#client/i18n/bundle.ts";

export const gapMessages = createMessages({
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
});
