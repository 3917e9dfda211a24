import { type FormEvent, useRef, useState } from "react";
import { toast } from "../../lib/notify.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, footClass } from "../../ui/dialog.tsx";
import { Segments } from "../../ui/segments.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useWords } from "../words.ts";
import { blankMeeting, madeMeeting, type Permission } from "./meeting.ts";

interface MeetingDialogProps {
  open: boolean;
  onClose: () => void;
}

export default function MeetingDialog({ open, onClose }: MeetingDialogProps) {
  const t = useWords();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("meeting.title")}
      description={t("meeting.text")}
      closeLabel={t("meeting.close")}
    >
      <MeetingForm onClose={onClose} />
    </Dialog>
  );
}

function MeetingForm({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const [meeting, setMeeting] = useState(blankMeeting);
  const [refused, setRefused] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<typeof meeting>) => setMeeting({ ...meeting, ...part });

  function create(event: FormEvent) {
    event.preventDefault();
    if (madeMeeting(meeting)) {
      onClose();
      toast({ kind: "success", title: t("meeting.created"), description: t("sample.text") });
      return;
    }
    setRefused(true);
    toast({ kind: "failure", title: t("meeting.nameMissing") });
    form.current?.querySelector("input")?.focus();
  }

  return (
    <form ref={form} onSubmit={create} noValidate className="grid gap-5">
      <TextField
        label={t("meeting.name")}
        placeholder={t("meeting.namePlaceholder")}
        value={meeting.name}
        aria-required="true"
        aria-invalid={refused && !madeMeeting(meeting)}
        autoComplete="off"
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t("meeting.invite")}
        type="email"
        placeholder="name@example.edu"
        value={meeting.inviteEmail}
        autoComplete="off"
        onChange={(event) => change({ inviteEmail: event.target.value })}
      />
      <div className="grid gap-1.5">
        <span aria-hidden="true" className="font-medium text-ink-2 text-sm">
          {t("meeting.permission")}
        </span>
        <Segments<Permission>
          label={t("meeting.permission")}
          value={meeting.permission}
          options={[
            { value: "public", label: t("meeting.public") },
            { value: "private", label: t("meeting.private") },
          ]}
          onChange={(permission) => change({ permission })}
        />
        <span role="status" className="text-ink-3 text-sm">
          {t(`meeting.${meeting.permission}Hint`)}
        </span>
      </div>
      <div className={footClass}>
        <Button onClick={onClose}>{t("meeting.cancel")}</Button>
        <Button type="submit" look="ink">
          {t("meeting.create")}
        </Button>
      </div>
    </form>
  );
}
