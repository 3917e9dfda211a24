import { useState } from "react";
import { toastFailure } from "#client/lib/notifications.ts";
import { Dialog, type DialogProps, SubmitButtons } from "#client/ui/dialog.tsx";
import { Form } from "#client/ui/form.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import { useNotifySample } from "./sample.tsx";

export default function MeetingDialog(dialog: Pick<DialogProps, "open" | "onClose">) {
  const t = useT();
  return (
    <Dialog {...dialog} title={t("mock.meeting.title")} description={t("mock.meeting.text")}>
      <MeetingForm onClose={dialog.onClose} />
    </Dialog>
  );
}

/** `public`: anyone in the organisation; `private`: invited people only. */
type Permission = "public" | "private";

/** Requires a name and nothing else. Its values go nowhere. */
function MeetingForm({ onClose }: { onClose: () => void }) {
  const t = useT();
  const notifySample = useNotifySample();
  const [permission, setPermission] = useState<Permission>("public");

  async function create({ name }: Record<string, unknown>) {
    if (String(name).trim() === "") {
      toastFailure(t("mock.meeting.nameMissing"));
      return { name: t("mock.meeting.nameMissing") };
    }
    onClose();
    notifySample(t("mock.meeting.created"), "success");
    return null;
  }

  return (
    <Form onSubmit={create} className="grid gap-5">
      <TextField
        name="name"
        label={t("mock.meeting.name")}
        placeholder={t("mock.meeting.namePlaceholder")}
        aria-required="true"
        autoComplete="off"
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
      <SubmitButtons
        label={t("mock.meeting.create")}
        cancelLabel={t("mock.meeting.cancel")}
        onCancel={onClose}
      />
    </Form>
  );
}
