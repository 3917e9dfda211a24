import { createMessages } from "#client/i18n/bundle.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";

export const recordingDetailsMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  gapMessages,
);
export const { useT } = recordingDetailsMessages;
