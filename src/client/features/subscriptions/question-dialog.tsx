import { type FormEvent, useId, useState } from "react";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button } from "#client/ui/button.tsx";
import { CurrentPasswordField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import type { Question } from "./questions.ts";

interface QuestionDialogProps {
  question: Question;
  open: boolean;
  onClose: () => void;
  /** Shows a password field, whose value is passed to `onConfirm`. */
  needsPassword: boolean;
  onConfirm: (password?: string) => void;
}

export default function QuestionDialog(props: QuestionDialogProps) {
  const { question, open, onClose, needsPassword, onConfirm: onYes } = props;
  const t = useT();
  const formId = useId();
  const [password, setPassword] = useState("");

  function close() {
    setPassword("");
    onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    setPassword("");
    onYes(password);
  }

  const field = (
    <form id={formId} onSubmit={submit}>
      <CurrentPasswordField
        label={t("password.current")}
        hint={t("password.confirmAction")}
        value={password}
        onChange={setPassword}
      />
    </form>
  );
  return (
    <AlertDialog
      open={open}
      onClose={close}
      title={question.title}
      text={question.text}
      {...(needsPassword && { field })}
    >
      <Button onClick={close}>{t("common.cancel")}</Button>
      {needsPassword ? (
        <Button type="submit" form={formId} look="ink">
          {question.confirmLabel}
        </Button>
      ) : (
        <Button look="ink" onClick={() => onYes()}>
          {question.confirmLabel}
        </Button>
      )}
    </AlertDialog>
  );
}
