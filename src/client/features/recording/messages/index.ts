import { createMessages } from "#client/i18n/bundle.ts";
import { readingMessages } from "#client/reading/messages/index.ts";

export const recordingMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  readingMessages,
);
export const { useT } = recordingMessages;

export type MessageKey = Parameters<typeof recordingMessages.t>[0];
