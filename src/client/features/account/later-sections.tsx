import { soundMessages } from "#client/i18n/sound/index.ts";
import { KeptSound } from "./kept-sound.tsx";
import { programMessages } from "./programs/messages/index.ts";
import { Programs } from "./programs/programs.tsx";

/** The sections of the profile that can wait for the first paint. */
export default function LaterSections() {
  return (
    <>
      <KeptSound />
      <Programs />
    </>
  );
}

export const loadLaterMessages = async (): Promise<void> => {
  await Promise.all([soundMessages.load(), programMessages.load()]);
};
