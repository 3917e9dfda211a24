import { soundMessages } from "#client/i18n/sound/index.ts";
import { programMessages } from "./programs/messages/index.ts";

export const loadLaterMessages = async (): Promise<void> => {
  await Promise.all([soundMessages.load(), programMessages.load()]);
};
