import { createMessages } from "#client/i18n/bundle.ts";
import { formMessages } from "#client/i18n/forms/index.ts";

export const planMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  formMessages,
);
export const { t, useT } = planMessages;

export type MessageKey = Parameters<typeof planMessages.t>[0];
export type Translate = typeof planMessages.t;
