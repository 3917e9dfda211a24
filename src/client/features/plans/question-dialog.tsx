import { useT } from "../../i18n/index.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import type { Question } from "./questions.ts";

interface QuestionDialogProps {
  question: Question;
  open: boolean;
  onClose: () => void;
  onYes: () => void;
}

/** Asks before money or a plan is moved. */
export default function QuestionDialog({ question, open, onClose, onYes }: QuestionDialogProps) {
  const t = useT();
  return (
    <AlertDialog open={open} onOpenChange={onClose} title={question.title} text={question.text}>
      <Button onClick={onClose}>{t("common.cancel")}</Button>
      <Button look="ink" onClick={onYes}>
        {question.yes}
      </Button>
    </AlertDialog>
  );
}
