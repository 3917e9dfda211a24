// Written by build/message-indexes.ts
import { createMessages } from "#client/i18n/bundle.ts";

const files = { en: () => import("./en.json"), zh: () => import("./zh.json") };
export const commonMessages = createMessages(files);
export const { t, useT } = commonMessages;

export type MessageKey = Parameters<typeof t>[0];
export type Translate = typeof t;
