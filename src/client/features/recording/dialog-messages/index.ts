import { createMessages } from "../../../messages/bundle.ts";
import { recordingMessages } from "../messages/index.ts";

export const dialogMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  recordingMessages,
);
export const { t, useT } = dialogMessages;

export type MessageKey = Parameters<typeof dialogMessages.t>[0];
