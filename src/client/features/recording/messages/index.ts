import { createMessages } from "../../../messages/bundle.ts";
import { commonMessages } from "../../../messages/index.ts";

export const recordingMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { useT } = recordingMessages;

export type MessageKey = Parameters<typeof recordingMessages.t>[0];
