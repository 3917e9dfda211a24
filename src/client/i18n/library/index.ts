import { createMessages } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";

export const lectureMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { t, useT } = lectureMessages;

export type MessageKey = Parameters<typeof lectureMessages.t>[0];
export type Translate = typeof lectureMessages.t;
