import { createMessages } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";

export const soundMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { t, useT } = soundMessages;
