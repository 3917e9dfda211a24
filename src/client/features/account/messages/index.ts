import { createMessages } from "../../../messages/bundle.ts";
import { commonMessages } from "../../../messages/index.ts";

export const accountMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { t, useT } = accountMessages;

export type MessageKey = Parameters<typeof accountMessages.t>[0];
