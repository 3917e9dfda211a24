import { createMessages } from "../../../messages/bundle.ts";
import { commonMessages } from "../../../messages/index.ts";

export const authMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { t, useT } = authMessages;

export type MessageKey = Parameters<typeof authMessages.t>[0];
