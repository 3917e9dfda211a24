import { type FormEvent, useState } from "react";
import { useT } from "../../i18n/index.ts";
import { deleteAccount } from "../../lib/auth.ts";
import { toApiError } from "../../lib/failure.ts";
import { toast } from "../../lib/notify.ts";
import { endSession, recordingSession } from "../../lib/recording.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, footClass } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  /** The account is given up: `end` does it, and rejects when it could not be done. */
  onDelete: (end: () => Promise<void>) => Promise<void>;
}

export default function DeleteAccountDialog({ open, onClose, onDelete }: DeleteAccountDialogProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);

  async function remove(confirmation: string) {
    // What is still being recorded has to end first.
    await recordingSession.get()?.reset({ quiet: true });
    await deleteAccount(confirmation);
    endSession();
    toast({ kind: "success", title: t("deleteAccount.done") });
  }

  async function submit(confirmation: string) {
    setBusy(true);
    try {
      await onDelete(() => remove(confirmation));
    } catch (failure) {
      // A session that is over was told of already.
      if (toApiError(failure).code === "unauthenticated") return;
      toast({ kind: "failure", title: t("common.error"), description: t("deleteAccount.failed") });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose();
      }}
      title={t("deleteAccount.title")}
      description={t("deleteAccount.text")}
      closeLabel={t("common.close")}
    >
      <ConfirmationForm busy={busy} onCancel={onClose} onConfirm={(typed) => void submit(typed)} />
    </Dialog>
  );
}

interface ConfirmationFormProps {
  busy: boolean;
  onCancel: () => void;
  onConfirm: (typed: string) => void;
}

/** The word that has to be typed, in any case. */
const word = "delete";

function ConfirmationForm({ busy, onCancel, onConfirm }: ConfirmationFormProps) {
  const t = useT();
  const [typed, setTyped] = useState("");
  const matches = typed.trim().toLowerCase() === word;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (matches) onConfirm(typed);
    else
      toast({
        kind: "failure",
        title: t("deleteAccount.invalid"),
        description: t("validation.typeDelete"),
      });
  }

  return (
    <form onSubmit={submit} className="grid gap-5">
      <TextField
        label={t("deleteAccount.type")}
        value={typed}
        disabled={busy}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          // A form whose button is disabled is not submitted by the Enter key.
          if (event.key === "Enter" && !event.nativeEvent.isComposing && !matches) submit(event);
        }}
      />
      <div className={footClass}>
        <Button disabled={busy} onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" look="danger" disabled={busy || !matches}>
          {t(busy ? "deleteAccount.busy" : "deleteAccount.confirm")}
        </Button>
      </div>
    </form>
  );
}
