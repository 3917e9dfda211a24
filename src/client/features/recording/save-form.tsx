import { type FormEvent, useState } from "react";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";

/** The name of the last Save. It stays when that has failed; the next lecture has another id. */
let lastSave: { lectureId: string | undefined; name: string } | null = null;

/** The initial text: the name of a saved lecture; empty for a draft, whose title is only its date. */
function getInitialName(session: RecordingSession): string {
  const { lecture } = session.view.get();
  if (lastSave !== null && lastSave.lectureId === lecture?.id) return lastSave.name;
  return lecture?.status === "completed" ? lecture.title.slice(0, lectureNameMaxLength) : "";
}

interface SaveFormProps {
  session: RecordingSession;
  onClose: () => void;
}

export function SaveForm({ session, onClose }: SaveFormProps) {
  const t = useT();
  const [name, setName] = useState(() => getInitialName(session));

  function save(event: FormEvent) {
    event.preventDefault();
    lastSave = { lectureId: session.view.get().lecture?.id, name };
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
