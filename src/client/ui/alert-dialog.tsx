import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { DialogFrame, type DialogProps, footerClass } from "./dialog.tsx";

interface AlertDialogProps extends DialogProps {
  text: string;
  field?: ReactNode;
}

/** A question or a message that must be answered: a click outside does not close it. */
export function AlertDialog({ field, children, ...props }: AlertDialogProps) {
  return (
    <DialogFrame
      {...props}
      Root={Base.Root}
      headClass="gap-2"
      // Wide enough for three buttons in one line.
      className="dialog:has-[button:nth-of-type(3)]:w-135"
    >
      {field}
      <div className={footerClass}>{children}</div>
    </DialogFrame>
  );
}
