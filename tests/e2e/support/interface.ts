import { globSync, readFileSync } from "node:fs";

/** The bundles whose texts the journeys look for. */
type Messages = typeof import("#client/features/account/messages/en.json") &
  typeof import("#client/features/account/link-messages/en.json") &
  typeof import("#client/features/auth/messages/en.json") &
  typeof import("#client/features/glossary/messages/en.json") &
  typeof import("#client/features/glossary/proposals/messages/en.json") &
  typeof import("#client/features/import/backup/messages/en.json") &
  typeof import("#client/features/library/sidebar/messages/en.json") &
  typeof import("#client/features/live/messages/en.json") &
  typeof import("#client/features/quiz/messages/en.json") &
  typeof import("#client/features/recording/dialog-messages/en.json") &
  typeof import("#client/features/recording/engine-messages/en.json") &
  typeof import("#client/features/recording/messages/en.json") &
  typeof import("#client/features/sharing/messages/en.json") &
  typeof import("#client/features/subscriptions/messages/en.json") &
  typeof import("#client/features/trash/messages/en.json") &
  typeof import("#client/i18n/en.json") &
  typeof import("#client/i18n/export-import/en.json") &
  typeof import("#client/i18n/print/en.json") &
  typeof import("#client/i18n/forms/en.json") &
  typeof import("#client/i18n/gaps/en.json") &
  typeof import("#client/i18n/library/en.json") &
  typeof import("#client/i18n/offline/en.json") &
  typeof import("#client/reading/dialog-messages/en.json") &
  typeof import("#client/reading/messages/en.json");

export type MessageKey = Exclude<keyof Messages, "default">;

/** No key is in two bundles. */
const readMessages = (language: "en" | "zh"): Record<MessageKey, string> =>
  Object.assign(
    {},
    ...globSync(`src/client/**/${language}.json`).map((file) =>
      JSON.parse(readFileSync(file, "utf8")),
    ),
  );

/** The interface's messages by key, with their placeholders in braces. */
export const messages = { en: readMessages("en"), zh: readMessages("zh") };
