import { createMessages } from "#client/i18n/bundle.ts";
import { readingMessages } from "#client/reading/messages/index.ts";

export const liveMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  readingMessages,
);
export const { t, useT } = liveMessages;
