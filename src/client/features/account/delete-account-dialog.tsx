import { useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { deleteAccount, getUserId } from "#client/state/auth.ts";
import { endRecordingSession, recordingSession } from "#client/state/recording.ts";
import { removeStoredSound } from "#client/state/sign-out.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import type { FieldErrors } from "#client/ui/form.tsx";
import { Form } from "#client/ui/form.tsx";
import { CurrentPasswordField, TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  /** Called to delete the account: `end` does it, and rejects when that fails. */
  onDelete: (end: () => Promise<void>) => Promise<void>;
}

export default function DeleteAccountDialog({ open, onClose, onDelete }: DeleteAccountDialogProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const [needsPassword, setNeedsPassword] = useState(false);

  async function remove(input: Confirmation) {
    // A running recording must end first.
    await recordingSession.get()?.reset({ quiet: true });
    const userId = getUserId();
    await deleteAccount(input);
    endRecordingSession();
    if (userId !== null) await removeStoredSound(userId);
    toast({ kind: "success", title: t("deleteAccount.done") });
  }

  function notifyFailure(failure: unknown): FieldErrors {
    const { code } = toApiError(failure);
    const text = getErrorMessage(failure);
    // An expired session is reported elsewhere.
    if (code === "reauthentication_required") setNeedsPassword(true);
    else if (code === "current_password_invalid") {
      toastFailure(t("password.incorrect"), text);
      return { password: text };
    } else if (code !== "unauthenticated")
      toastFailure(t("common.error"), code === "rate_limited" ? text : t("deleteAccount.failed"));
    return {};
  }

  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={t("deleteAccount.title")}
      description={t("deleteAccount.text")}
    >
      <ConfirmationForm
        busy={busy}
        needsPassword={needsPassword}
        onCancel={onClose}
        onConfirm={(input) =>
          run(() => onDelete(() => remove(input)).then(() => null, notifyFailure))
        }
      />
    </Dialog>
  );
}

interface Confirmation {
  confirmation: string;
  password?: string;
}

interface ConfirmationFormProps {
  busy: boolean;
  needsPassword: boolean;
  onCancel: () => void;
  onConfirm: (input: Confirmation) => Promise<FieldErrors | null>;
}

/** The word that the user has to type, in upper or lower case. */
const confirmationWord = "delete";

function ConfirmationForm({ busy, needsPassword, onCancel, onConfirm }: ConfirmationFormProps) {
  const t = useT();
  const [text, setTyped] = useState("");
  const matches = text.trim().toLowerCase() === confirmationWord;

  async function submit({ password }: Record<string, unknown>) {
    if (!matches) {
      toastFailure(t("deleteAccount.invalid"), t("validation.typeDelete"));
      return { confirmation: t("validation.typeDelete") };
    }
    return onConfirm({
      confirmation: text,
      ...(needsPassword && { password: String(password) }),
    });
  }

  return (
    <Form busy={busy} onSubmit={submit} className="grid gap-5">
      <TextField
        name="confirmation"
        label={t("deleteAccount.type")}
        value={text}
        disabled={busy}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          // A form whose button is disabled is not submitted by the Enter key.
          if (event.key === "Enter" && !event.nativeEvent.isComposing && !matches)
            event.currentTarget.form?.requestSubmit();
        }}
      />
      {needsPassword ? (
        <CurrentPasswordField
          label={t("password.current")}
          hint={t("password.confirmAction")}
          disabled={busy}
        />
      ) : null}
      <div className={footerClass}>
        <Button disabled={busy} onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" look="danger" disabled={busy || !matches}>
          {t(busy ? "deleteAccount.busy" : "deleteAccount.confirm")}
        </Button>
      </div>
    </Form>
  );
}
