import { useState } from "react";
import { useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { currentDialog } from "./open-dialog.ts";
import { RetranslateDialog } from "./retranslate-dialog.tsx";
import { SaveDialog } from "./save-dialog.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { SpeakersDialog } from "./speakers-dialog.tsx";

export default function Dialogs({ session }: { session: RecordingSession }) {
  const now = useValue(currentDialog);
  const kind = now?.kind ?? null;
  const [first, setFirst] = useState<string | null>(null);
  if (now?.kind === "speakers" && now.first !== first) setFirst(now.first);
  const close = () => currentDialog.set(null);
  return (
    <>
      <SaveDialog session={session} open={kind === "save"} onClose={close} />
      <SettingsDialog session={session} open={kind === "settings"} onClose={close} />
      <ShortcutsDialog open={kind === "shortcuts"} onClose={close} />
      <RetranslateDialog session={session} open={kind === "retranslate"} onClose={close} />
      <SpeakersDialog session={session} open={kind === "speakers"} first={first} onClose={close} />
    </>
  );
}
