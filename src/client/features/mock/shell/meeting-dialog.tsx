import { type FormEvent, useRef, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/sample.ts";
import { toastFailure } from "#client/state/notifications.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { TextField } from "#client/ui/text-field.tsx";

interface MeetingDialogProps {
  open: boolean;
  onClose: () => void;
}

export default function MeetingDialog({ open, onClose }: MeetingDialogProps) {
  const t = useT();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("mock.meeting.title")}
      description={t("mock.meeting.text")}
    >
      <MeetingForm onClose={onClose} />
    </Dialog>
  );
}

/** `public`: anyone in the organisation; `private`: invited people only. */
type Permission = "public" | "private";

/** Requires a name and nothing else. Its values go nowhere. */
function MeetingForm({ onClose }: { onClose: () => void }) {
  const t = useT();
  const notifySample = useNotifySample();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [permission, setPermission] = useState<Permission>("public");
  const [isRefused, setRefused] = useState(false);
  const isNameMissing = name.trim() === "";

  function create(event: FormEvent) {
    event.preventDefault();
    if (isNameMissing) {
      setRefused(true);
      toastFailure(t("mock.meeting.nameMissing"));
      nameField.current?.focus();
      return;
    }
    onClose();
    notifySample(t("mock.meeting.created"), "success");
  }

  return (
    <form onSubmit={create} noValidate className="grid gap-5">
      <TextField
        ref={nameField}
        label={t("mock.meeting.name")}
        placeholder={t("mock.meeting.namePlaceholder")}
        value={name}
        aria-required="true"
        aria-invalid={isRefused && isNameMissing}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t("mock.meeting.invite")}
        type="email"
        placeholder="name@example.edu"
        autoComplete="off"
      />
      <div className="grid gap-1.5">
        <LabelledSegments
          label={t("mock.meeting.permission")}
          value={permission}
          options={(["public", "private"] as const).map((value) => ({
            value,
            label: t(`mock.meeting.${value}`),
          }))}
          onChange={setPermission}
        />
        <span role="status" className="text-ink-3 text-sm">
          {t(`mock.meeting.${permission}Hint`)}
        </span>
      </div>
      <div className={footerClass}>
        <Button onClick={onClose}>{t("mock.meeting.cancel")}</Button>
        <Button type="submit" look="ink">
          {t("mock.meeting.create")}
        </Button>
      </div>
    </form>
  );
}
