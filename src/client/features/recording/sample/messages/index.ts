import { recordingMessages } from "#client/features/recording/messages/index.ts";
import { createMessages } from "#client/i18n/bundle.ts";

export const sampleMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  recordingMessages,
);
export const { useT } = sampleMessages;
