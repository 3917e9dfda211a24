import { createMessages } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";

export const trashMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  libraryMessages,
);
export const { t, useT } = trashMessages;

export type MessageKey = Parameters<typeof trashMessages.t>[0];
export type Translate = typeof trashMessages.t;
