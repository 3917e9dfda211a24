import { useState } from "react";
import { Dialog, type DialogProps, SubmitButtons } from "#client/ui/dialog.tsx";
import { Form } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { Labelled } from "#client/ui/segments.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import { Choice, useNotifySample } from "./sample.tsx";

/** Requires a name and nothing else. Its values go nowhere. */
export default function MeetingDialog(dialog: Pick<DialogProps, "open" | "onClose">) {
  const t = useT();
  const notifySample = useNotifySample();
  /** `public`: anyone in the organisation; `private`: invited people only. */
  const [permission, setPermission] = useState<"public" | "private">("public");

  /** Each opening begins anew. */
  function close() {
    setPermission("public");
    dialog.onClose();
  }

  async function create({ name }: Record<string, unknown>) {
    if (String(name).trim() === "") {
      toastFormFailure(t("mock.meeting.nameMissing"));
      return { name: t("mock.meeting.nameMissing") };
    }
    close();
    notifySample("mock.meeting.created", "success");
    return null;
  }

  return (
    <Dialog
      {...dialog}
      onClose={close}
      title={t("mock.meeting.title")}
      description={t("mock.meeting.text")}
    >
      <Form onSubmit={create} className="flex flex-col gap-5">
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
        <Labelled label={t("mock.meeting.permission")}>
          <Choice
            label="mock.meeting.permission"
            value={permission}
            values={["public", "private"]}
            onChange={setPermission}
          />
          <span role="status" className="text-ink-3 text-sm">
            {t(`mock.meeting.${permission}Hint`)}
          </span>
        </Labelled>
        <SubmitButtons label={t("mock.meeting.create")} onCancel={close} />
      </Form>
    </Dialog>
  );
}
