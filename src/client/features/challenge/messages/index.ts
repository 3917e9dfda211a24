import { createMessages } from "../../../messages/bundle.ts";
import { commonMessages } from "../../../messages/index.ts";

export const challengeMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  commonMessages,
);
export const { useT } = challengeMessages;
