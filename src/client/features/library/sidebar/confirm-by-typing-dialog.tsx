import { type FormEvent, useState } from "react";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";

interface ConfirmByTypingDialogProps {
  /** Also on the button. */
  title: string;
  text: string;
  /** The word to type, ignoring case; the same in both interface languages. */
  word: string;
  label: string;
  /** Shown below the field after a wrong word. */
  errorText: string;
  onClose: () => void;
  onMismatch: () => void;
  /** Resolves to whether it succeeded. */
  onConfirm: () => Promise<boolean>;
}

export function ConfirmByTypingDialog(props: ConfirmByTypingDialogProps) {
  const { title, text, word, label, errorText, onClose, onMismatch, onConfirm } = props;
  const t = useT();
  const [input, setInput] = useState("");
  const [mismatch, setMismatch] = useState(false);
  const [busy, setBusy] = useState(false);
  const matches = input.trim().toLowerCase() === word;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!matches) {
      setMismatch(true);
      onMismatch();
      return;
    }
    setBusy(true);
    if (await onConfirm()) onClose();
    else setBusy(false);
  }

  return (
    <Dialog open busy={busy} onClose={onClose} title={title} description={text}>
      <form onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField
          label={label}
          value={input}
          disabled={busy}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...(mismatch && !matches && { "aria-invalid": true, hint: errorText })}
          onChange={(event) => setInput(event.target.value)}
          onKeyDown={(event) => {
            // Enter does not submit a form whose button is disabled.
            if (event.key === "Enter" && !event.nativeEvent.isComposing && !matches)
              void submit(event);
          }}
        />
        <div className={footerClass}>
          <Button disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="danger" disabled={busy || !matches}>
            {busy ? t("tree.deleting") : title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
