import { createMessages } from "#client/i18n/bundle.ts";
import { lectureMessages } from "#client/i18n/library/index.ts";

export const sidebarMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  lectureMessages,
);
export const { useT } = sidebarMessages;
