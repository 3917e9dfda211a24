import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { createMessages } from "#client/i18n/bundle.ts";

export const sampleMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  engineMessages,
);
export const { useT } = sampleMessages;
