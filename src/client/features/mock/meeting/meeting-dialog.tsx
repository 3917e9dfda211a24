import { type FormEvent, useRef, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { Segments } from "#client/ui/segments.tsx";
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
      closeLabel={t("mock.meeting.close")}
    >
      <MeetingForm onClose={onClose} />
    </Dialog>
  );
}

function MeetingForm({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [meeting, setMeeting] = useState(emptyMeeting);
  const [isInvalid, setRefused] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<typeof meeting>) => setMeeting({ ...meeting, ...part });

  function create(event: FormEvent) {
    event.preventDefault();
    if (parseMeeting(meeting)) {
      onClose();
      toast({
        kind: "success",
        title: t("mock.meeting.created"),
        description: t("mock.sample.text"),
      });
      return;
    }
    setRefused(true);
    toastFailure(t("mock.meeting.nameMissing"));
    form.current?.querySelector("input")?.focus();
  }

  return (
    <form ref={form} onSubmit={create} noValidate className="grid gap-5">
      <TextField
        label={t("mock.meeting.name")}
        placeholder={t("mock.meeting.namePlaceholder")}
        value={meeting.name}
        aria-required="true"
        aria-invalid={isInvalid && !parseMeeting(meeting)}
        autoComplete="off"
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t("mock.meeting.invite")}
        type="email"
        placeholder="name@example.edu"
        value={meeting.inviteEmail}
        autoComplete="off"
        onChange={(event) => change({ inviteEmail: event.target.value })}
      />
      <div className="grid gap-1.5">
        <span aria-hidden="true" className="font-medium text-ink-2 text-sm">
          {t("mock.meeting.permission")}
        </span>
        <Segments<Permission>
          label={t("mock.meeting.permission")}
          value={meeting.permission}
          options={[
            { value: "public", label: t("mock.meeting.public") },
            { value: "private", label: t("mock.meeting.private") },
          ]}
          onChange={(permission) => change({ permission })}
        />
        <span role="status" className="text-ink-3 text-sm">
          {t(`mock.meeting.${meeting.permission}Hint`)}
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

/** `public`: anyone in the organisation; `private`: invited people only. */
type Permission = "public" | "private";

export interface Meeting {
  name: string;
  inviteEmail: string;
  permission: Permission;
}

export const emptyMeeting: Meeting = { name: "", inviteEmail: "", permission: "public" };

/** `meeting` with trimmed texts; null if it has no name. */
export function parseMeeting(meeting: Meeting): Meeting | null {
  const name = meeting.name.trim();
  return name ? { ...meeting, name, inviteEmail: meeting.inviteEmail.trim() } : null;
}
