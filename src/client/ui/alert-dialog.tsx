import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { backdropClass, footerClass, popupClass } from "./dialog.tsx";
import { useFinalFocus } from "./focus-after.ts";

/** Wide enough for three buttons in one line. */
const alertClass = `${popupClass} sm:has-[button:nth-of-type(3)]:w-135`;

interface AlertDialogProps {
  open: boolean;
  /** Not called while `busy`. */
  onClose: () => void;
  busy?: boolean;
  title: string;
  text: string;
  field?: ReactNode;
  children: ReactNode;
}

/** A question or a message that must be answered: a click outside does not close it. */
export function AlertDialog({
  open,
  onClose,
  busy = false,
  title,
  text,
  field,
  children,
}: AlertDialogProps) {
  const finalFocus = useFinalFocus();
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose();
      }}
    >
      <Base.Portal data-dialog>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup className={alertClass} finalFocus={finalFocus}>
          <div className="grid gap-2">
            <Base.Title className="font-semibold text-lg tracking-tight wrap-anywhere">
              {title}
            </Base.Title>
            <Base.Description className="text-pretty text-ink-2 wrap-anywhere">
              {text}
            </Base.Description>
          </div>
          {field}
          <div className={footerClass}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
