import { createMessages } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";

export const libraryMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { t, useT } = libraryMessages;

export type MessageKey = Parameters<typeof libraryMessages.t>[0];
export type Translate = typeof libraryMessages.t;
