import { type SubmitEvent, useId } from "react";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button } from "#client/ui/button.tsx";
import { CurrentPasswordField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import type { PlanQuestion } from "./questions.ts";

interface QuestionDialogProps {
  question: PlanQuestion;
  open: boolean;
  onClose: () => void;
  /** Shows a password field, whose value is passed to `onConfirm`. */
  needsPassword: boolean;
  onConfirm: (password?: string) => void;
}

export default function QuestionDialog(props: QuestionDialogProps) {
  const { question, open, onClose, needsPassword, onConfirm } = props;
  const t = useT();
  const formId = useId();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    event.currentTarget.reset();
    onConfirm(password);
  }

  const field = (
    <form id={formId} onSubmit={submit}>
      <CurrentPasswordField label={t("password.current")} hint={t("password.confirmAction")} />
    </form>
  );
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title={question.title}
      text={question.text}
      {...(needsPassword && { field })}
    >
      <Button onClick={onClose}>{t("common.cancel")}</Button>
      {needsPassword ? (
        <Button type="submit" form={formId} look="ink">
          {question.confirmLabel}
        </Button>
      ) : (
        <Button look="ink" onClick={() => onConfirm()}>
          {question.confirmLabel}
        </Button>
      )}
    </AlertDialog>
  );
}
