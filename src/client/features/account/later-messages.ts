import { languageMessages } from "#client/i18n/languages/index.ts";
import { soundMessages } from "#client/i18n/sound/index.ts";
import { programMessages } from "./programs/messages/index.ts";

/** The messages of the settings that can wait for the first paint. */
export const loadLaterMessages = async (): Promise<void> => {
  await Promise.all([languageMessages.load(), soundMessages.load(), programMessages.load()]);
};
