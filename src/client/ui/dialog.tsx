import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { IconButton } from "./button.tsx";
import { useFinalFocus } from "./focus-after.ts";

export const backdropClass =
  "fixed inset-0 bg-veil transition-opacity duration-200 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0";

export const popupClass =
  "fixed top-1/2 left-1/2 grid max-h-[calc(100dvh-32px)] w-[min(440px,calc(100vw-32px))] -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-l border border-rule bg-sheet p-6 max-sm:p-5 text-ink shadow-sheet transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0";

/** The buttons at the end of a dialog; on a phone up to three share its width. */
export const footerClass = "flex flex-wrap justify-end gap-2 max-sm:*:grow max-sm:*:px-2.5";

interface DialogProps {
  open: boolean;
  /** Not called while `busy`. */
  onClose: () => void;
  busy?: boolean;
  title: string;
  description?: string;
  children: ReactNode;
}

/** A modal dialog. It traps the focus and returns it: see `FocusAfterDialog`. */
export function Dialog({ open, onClose, busy = false, title, description, children }: DialogProps) {
  const t = useT();
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
        <Base.Popup className={popupClass} finalFocus={finalFocus}>
          <div className="grid gap-1 pr-9">
            <Base.Title className="font-semibold text-lg tracking-tight wrap-anywhere">
              {title}
            </Base.Title>
            {description ? (
              <Base.Description className="text-pretty text-ink-2">{description}</Base.Description>
            ) : null}
          </div>
          {children}
          {/* Last, so that the dialog's first focusable element is in its content. */}
          <Base.Close
            render={
              <IconButton label={t("common.close")} className="absolute top-4.5 right-4">
                <X className="size-4.5" aria-hidden="true" />
              </IconButton>
            }
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
