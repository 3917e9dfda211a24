import { createMessages } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";

/** Texts of the forms of an account after the first paint, their rules and outcomes, and of its plans. */
export const formMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { t, useT } = formMessages;

export type MessageKey = Parameters<typeof formMessages.t>[0];
