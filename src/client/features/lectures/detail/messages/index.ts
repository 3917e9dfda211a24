import { createMessages } from "../../../../messages/bundle.ts";
import { lectureMessages } from "../../messages/index.ts";

export const detailMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  lectureMessages,
);
export const { useT } = detailMessages;
