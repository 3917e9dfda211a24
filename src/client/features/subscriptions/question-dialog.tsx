import { useId } from "react";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button } from "#client/ui/button.tsx";
import { Form } from "#client/ui/form.tsx";
import { CurrentPasswordField } from "#client/ui/typed-confirmation.tsx";
import { useT } from "./messages/index.ts";
import type { PlanQuestion } from "./questions.ts";

interface QuestionDialogProps {
  question: PlanQuestion;
  open: boolean;
  busy: boolean;
  onClose: () => void;
  /** Shows a password field, whose value is passed to `onConfirm`. */
  needsPassword: boolean;
  /** Resolves to whether the password is needed, or another one. */
  onConfirm: (password?: string) => Promise<boolean>;
}

export default function QuestionDialog(props: QuestionDialogProps) {
  const { question, open, busy, onClose, needsPassword, onConfirm } = props;
  const t = useT();
  const formId = useId();

  async function submit({ password }: Record<string, unknown>) {
    const isWrong = await onConfirm(String(password));
    return isWrong ? { password: t("error.current_password_invalid") } : null;
  }

  const field = (
    <Form id={formId} busy={busy} onSubmit={submit}>
      <CurrentPasswordField disabled={busy} />
    </Form>
  );
  return (
    <AlertDialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={question.title}
      text={question.text}
      {...(needsPassword && { field })}
    >
      <Button disabled={busy} onClick={onClose}>
        {t("common.cancel")}
      </Button>
      {needsPassword ? (
        <Button type="submit" form={formId} look="ink" disabled={busy}>
          {question.confirmLabel}
        </Button>
      ) : (
        <Button look="ink" onClick={() => void onConfirm()}>
          {question.confirmLabel}
        </Button>
      )}
    </AlertDialog>
  );
}
