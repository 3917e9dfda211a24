import { type FormEvent, useState } from "react";
import { useOnLoading } from "#client/reading/reading-state.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";

/** The name of each session's last Save, until that has succeeded. */
const failedSaves = new WeakMap<
  RecordingSession,
  { lectureId: string | undefined; current: string; name: string }
>();

/** What the lecture is called now; empty for a draft that has only its date. */
function getCurrentName(session: RecordingSession): string {
  const { lecture } = session.view.get();
  return lecture && lecture.titleSource !== "date" ? lecture.title : "";
}

interface SaveFormProps {
  session: RecordingSession;
  onClose: () => void;
}

export function SaveForm({ session, onClose }: SaveFormProps) {
  const t = useT();
  const [current] = useState(() => getCurrentName(session));
  const shortened = current.slice(0, lectureNameMaxLength);
  const [name, setName] = useState(() => {
    const lectureId = session.view.get().lecture?.id;
    const failed = failedSaves.get(session);
    return failed?.lectureId === lectureId && failed?.current === current ? failed.name : shortened;
  });

  // The name is for this lecture, not for the one that is being opened.
  useOnLoading(session, onClose);

  function save(event: FormEvent) {
    event.preventDefault();
    failedSaves.set(session, { lectureId: session.view.get().lecture?.id, current, name });
    onClose();
    const unsubscribe = session.onNotice(({ kind }) => {
      if (kind === "lectureSaved") failedSaves.delete(session);
    });
    // A longer title, of an import for example, is only shortened by the person.
    void session.save(name === shortened ? current : name).finally(unsubscribe);
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
      <SubmitButtons label={t("saveDialog.save")} onCancel={onClose} />
    </form>
  );
}
