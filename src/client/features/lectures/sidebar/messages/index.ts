import { createMessages } from "../../../../messages/bundle.ts";
import { lectureMessages } from "../../messages/index.ts";

export const sidebarMessages = createMessages(
  { en: () => import("./en.json"), zh: () => import("./zh.json") },
  lectureMessages,
);
export const { useT } = sidebarMessages;
