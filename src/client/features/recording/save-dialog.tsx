import { type FormEvent, useState } from "react";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";

interface SaveDialogProps {
  session: RecordingSession;
  open: boolean;
  onClose: () => void;
}

export function SaveDialog({ session, open, onClose }: SaveDialogProps) {
  const t = useT();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("saveDialog.title")}
      description={t("saveDialog.text")}
      closeLabel={t("common.close")}
    >
      <NameForm session={session} onClose={onClose} />
    </Dialog>
  );
}

/** The initial text: the name of a saved lecture; empty for a draft, whose title is only its date. */
function getGivenName(session: RecordingSession): string {
  const { lecture } = session.view.get();
  return lecture?.status === "completed" ? lecture.title.slice(0, lectureNameMaxLength) : "";
}

function NameForm({ session, onClose }: { session: RecordingSession; onClose: () => void }) {
  const t = useT();
  const [name, setName] = useState(() => getGivenName(session));

  function save(event: FormEvent) {
    event.preventDefault();
    onClose();
    void session.save(name);
  }

  return (
    <form onSubmit={save} className="grid gap-5">
      <TextField
        label={t("saveDialog.name")}
        placeholder={t("saveDialog.placeholder")}
        value={name}
        maxLength={lectureNameMaxLength}
        autoComplete="off"
        hint={t("saveDialog.count", { count: name.length, max: lectureNameMaxLength })}
        onChange={(event) => setName(event.target.value)}
      />
      <div className={footerClass}>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button type="submit" look="ink">
          {t("saveDialog.save")}
        </Button>
      </div>
    </form>
  );
}
