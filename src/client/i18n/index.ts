import { createMessages } from "./bundle.ts";

export const commonMessages = createMessages({
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
});
export const { t, useT } = commonMessages;
