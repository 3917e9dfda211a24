import { createMessages } from "#client/i18n/bundle.ts";
import { formMessages } from "#client/i18n/forms/index.ts";

export const accountMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  formMessages,
);
export const { t, useT } = accountMessages;

export type MessageKey = Parameters<typeof accountMessages.t>[0];
