import { createMessages } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";

export const recordingMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { useT } = recordingMessages;

export type MessageKey = Parameters<typeof recordingMessages.t>[0];
