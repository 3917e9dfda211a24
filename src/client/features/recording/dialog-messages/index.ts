import { recordingMessages } from "#client/features/recording/messages/index.ts";
import { createMessages } from "#client/i18n/bundle.ts";

export const dialogMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  recordingMessages,
);
export const { t, useT } = dialogMessages;

export type MessageKey = Parameters<typeof dialogMessages.t>[0];
