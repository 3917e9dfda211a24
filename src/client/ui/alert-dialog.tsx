import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { footClass, sheetClass, veilClass } from "./dialog.tsx";
import { useFinalFocus } from "./focus-after.ts";

interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: string;
  /** The buttons. */
  children: ReactNode;
}

/** A question or a message that has to be answered: a click beside it does nothing. */
export function AlertDialog({ open, onOpenChange, title, text, children }: AlertDialogProps) {
  const finalFocus = useFinalFocus();
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal data-dialog>
        <Base.Backdrop className={veilClass} />
        <Base.Popup className={sheetClass} finalFocus={finalFocus}>
          <div className="grid gap-2">
            <Base.Title className="font-semibold text-lg tracking-tight wrap-anywhere">
              {title}
            </Base.Title>
            <Base.Description className="text-pretty text-ink-2 wrap-anywhere">
              {text}
            </Base.Description>
          </div>
          <div className={footClass}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
