import { useState } from "react";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { Form } from "#client/ui/form.tsx";
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
  const [busy, setBusy] = useState(false);
  const matches = input.trim().toLowerCase() === word;

  async function submit() {
    if (!matches) {
      onMismatch();
      return { confirmation: errorText };
    }
    setBusy(true);
    if (await onConfirm()) {
      onClose();
      return null;
    }
    setBusy(false);
    return {};
  }

  return (
    <Dialog open busy={busy} onClose={onClose} title={title} description={text}>
      <Form busy={busy} onSubmit={submit} className="grid gap-5">
        <TextField
          name="confirmation"
          label={label}
          value={input}
          disabled={busy}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setInput(event.target.value)}
          onKeyDown={(event) => {
            // Enter does not submit a form whose button is disabled.
            if (event.key === "Enter" && !event.nativeEvent.isComposing && !matches)
              event.currentTarget.form?.requestSubmit();
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
      </Form>
    </Dialog>
  );
}
