import { type ReactNode, useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { Button } from "#client/ui/button.tsx";
import { CopyField } from "#client/ui/copy-field.tsx";
import { Dialog, footerClass, SubmitButtons } from "#client/ui/dialog.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { CurrentPasswordField } from "#client/ui/typed-confirmation.tsx";
import { useT } from "./messages/index.ts";
import type { ProgramKind } from "./program-list.tsx";

interface NewSecretDialogProps {
  open: boolean;
  onClose: () => void;
  kind: ProgramKind;
  /** Resolves to the secret, or to what is wrong with `values`. `password`: once the server wants it. */
  create: (
    values: Record<string, unknown>,
    password?: string,
  ) => Promise<{ secret: string } | FieldErrors>;
  /** The fields. */
  children: ReactNode;
}

/** A form that creates something with a secret, and then shows the secret, once. */
export function NewSecretDialog(props: NewSecretDialogProps) {
  const { open, onClose, kind, create } = props;
  const t = useT();
  const [busy, run] = useBusy();
  const [needsPassword, setNeedsPassword] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);

  const submit = (values: Record<string, unknown>) =>
    run(async (): Promise<FieldErrors | null> => {
      try {
        const created = await create(values, needsPassword ? String(values.password) : undefined);
        if (typeof created.secret !== "string") return created as FieldErrors;
        setSecret(created.secret);
        return null;
      } catch (failure) {
        const { code } = toApiError(failure);
        if (code === "reauthentication_required") setNeedsPassword(true);
        else if (code === "current_password_invalid") return { password: getErrorMessage(failure) };
        // An expired session is reported elsewhere.
        else if (code !== "unauthenticated")
          toastFormFailure(t("common.error"), getErrorMessage(failure));
        return {};
      }
    });

  if (secret !== null)
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title={t(`${kind}.created`)}
        description={t("programs.secretOnce")}
      >
        <CopyField
          label={t(`${kind}.secret`)}
          value={secret}
          copyLabel={t("programs.copy")}
          copied={t("programs.copied")}
          failed={[t("common.error"), t("programs.copyFailed")]}
        />
        <div className={footerClass}>
          <Button look="ink" onClick={onClose}>
            {t("programs.done")}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={t(`${kind}.new`)}
      description={t(`${kind}.newText`)}
    >
      <Form busy={busy} onSubmit={submit} className="flex flex-col gap-5">
        {props.children}
        {needsPassword ? <CurrentPasswordField disabled={busy} /> : null}
        <SubmitButtons
          label={t(busy ? "programs.creating" : `${kind}.create`)}
          busy={busy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
