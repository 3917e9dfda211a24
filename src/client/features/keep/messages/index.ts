import { createMessages } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";

export const keepMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  libraryMessages,
);
export const { useT } = keepMessages;
