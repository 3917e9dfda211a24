import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { Button, IconButton } from "./button.tsx";
import { useFinalFocus } from "./focus-after.ts";

const backdropClass =
  "fixed inset-0 bg-veil transition-opacity duration-200 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0";

const popupClass =
  "fixed top-1/2 left-1/2 grid max-h-[calc(100dvh-32px)] -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-l border border-rule bg-sheet p-6 max-sm:p-5 text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0";

/** The buttons at the end of a dialog; on a phone up to three share its width. */
export const footerClass = "flex flex-wrap justify-end gap-2 max-sm:*:grow max-sm:*:px-2.5";

export interface DialogProps {
  open: boolean;
  /** Not called while `busy`. */
  onClose: () => void;
  busy?: boolean;
  title: string;
  /** For a table or a list of forms. */
  isWide?: boolean;
  children: ReactNode;
}

interface DialogFrameProps extends DialogProps {
  /** Of an ordinary dialog, or of an alert. */
  Root: ComponentType<Pick<Base.Root.Props, "open" | "onOpenChange" | "children">>;
  text: string | undefined;
  headClass: string;
  className?: string;
}

/** What dialogs and alerts share. It traps the focus and returns it: see `FocusAfterDialog`. */
export function DialogFrame(props: DialogFrameProps) {
  const { Root, open, onClose, busy = false, title, text, headClass, className = "" } = props;
  const width = props.isWide
    ? "w-[min(760px,calc(100vw-32px))]"
    : "w-[min(440px,calc(100vw-32px))]";
  const finalFocus = useFinalFocus();
  return (
    <Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose();
      }}
    >
      <Base.Portal data-dialog>
        {/* Also over another dialog. */}
        <Base.Backdrop forceRender className={backdropClass} />
        <Base.Popup className={`${popupClass} ${width} ${className}`} finalFocus={finalFocus}>
          <div className={`grid ${headClass}`}>
            <Base.Title className="font-semibold text-lg tracking-tight wrap-anywhere">
              {title}
            </Base.Title>
            {text ? (
              <Base.Description className="text-pretty text-ink-2 wrap-anywhere">
                {text}
              </Base.Description>
            ) : null}
          </div>
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Root>
  );
}

/** A modal dialog with a button that closes it. */
export function Dialog({
  description,
  children,
  ...props
}: DialogProps & { description?: string }) {
  const t = useT();
  return (
    <DialogFrame {...props} Root={Base.Root} text={description} headClass="gap-1 pr-9">
      {children}
      {/* Last, so that the dialog's first focusable element is in its content. */}
      <Base.Close
        render={
          <IconButton
            icon={X}
            iconClass="size-4.5"
            label={t("common.close")}
            className="absolute top-4.5 right-4 pointer-coarse:-m-1 max-sm:top-3.5 max-sm:right-3"
          />
        }
      />
    </DialogFrame>
  );
}

interface SubmitButtonsProps {
  /** What the form around them does. */
  label: string;
  look?: "ink" | "danger";
  disabled?: boolean;
  /** Disables both. */
  busy?: boolean;
  cancelLabel?: string;
  onCancel: () => void;
}

/** The buttons of a dialog that is a form. */
export function SubmitButtons(props: SubmitButtonsProps) {
  const { label, look = "ink", disabled = false, busy = false, cancelLabel, onCancel } = props;
  const t = useT();
  return (
    <div className={footerClass}>
      <Button disabled={busy} onClick={onCancel}>
        {cancelLabel ?? t("common.cancel")}
      </Button>
      <Button type="submit" look={look} disabled={busy || disabled}>
        {label}
      </Button>
    </div>
  );
}
