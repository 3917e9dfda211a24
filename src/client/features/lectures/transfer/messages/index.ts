import { createMessages } from "../../../../messages/bundle.ts";
import { lectureMessages } from "../../messages/index.ts";

export const transferMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  lectureMessages,
);
export const { useT } = transferMessages;

export type Translate = typeof transferMessages.t;
