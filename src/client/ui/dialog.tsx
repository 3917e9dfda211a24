import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { Button, IconButton } from "./button.tsx";
import { useFinalFocus } from "./focus-after.ts";

const backdropClass =
  "fixed inset-0 bg-veil transition-opacity duration-200 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0";

/** In the middle of the window, and below 600 px a sheet at its lower edge. */
const popupClass =
  "dialog-popup fixed flex flex-col overflow-hidden border-rule bg-sheet text-ink shadow-sheet outline-none transition-[opacity,translate] duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0 dialog:top-1/2 dialog:left-1/2 dialog:max-h-[min(48rem,calc(100dvh-2rem))] dialog:-translate-1/2 dialog:rounded-l dialog:border max-dialog:inset-x-0 max-dialog:bottom-0 max-dialog:max-h-[calc(100dvh-2.5rem)] max-dialog:rounded-t-l max-dialog:border-t max-dialog:data-ending-style:translate-y-2 max-dialog:data-starting-style:translate-y-2";

/** The body scrolls between the head and the buttons at its end. Its last pixels are no padding: buttons would not reach them. */
const bodyClass =
  "flex min-h-0 flex-col gap-4 overflow-y-auto overscroll-contain px-6 pt-1 after:h-2 after:shrink-0 max-dialog:px-4";

/** The end of a dialog, which stays in sight while the rest scrolls. Its parent is a column of boxes and no grid. */
export const dialogEndClass =
  "dialog-end sticky bottom-0 z-1 -mx-6 -mb-6 border-rule border-t bg-sheet px-6 pt-3.5 pb-[max(1rem,env(safe-area-inset-bottom))] max-dialog:-mx-4 max-dialog:px-4";

/** Buttons in a row; on a phone up to three share its width. */
export const buttonsClass =
  "flex flex-wrap justify-end gap-2 max-dialog:*:grow max-dialog:*:px-2.5";

export const footerClass = `${dialogEndClass} ${buttonsClass}`;

export interface DialogProps {
  open: boolean;
  /** Not called while `busy`. */
  onClose: () => void;
  busy?: boolean;
  title: string;
  /** For a table or a list of forms. */
  isWide?: boolean;
  /** What has the focus first, instead of the first element that can. */
  initialFocus?: Base.Popup.Props["initialFocus"];
  children: ReactNode;
}

interface DialogFrameProps extends DialogProps {
  /** Of an ordinary dialog, or of an alert. */
  Root: ComponentType<Pick<Base.Root.Props, "open" | "onOpenChange" | "children">>;
  text: string | undefined;
  headClass: string;
  className?: string;
  /** Last, so that the first focusable element is in the content. */
  close?: ReactNode;
}

/** What dialogs and alerts share. It traps the focus and returns it: see `FocusAfterDialog`. */
export function DialogFrame(props: DialogFrameProps) {
  const {
    Root,
    open,
    onClose,
    busy = false,
    title,
    text,
    headClass,
    className = "",
    close,
  } = props;
  const width = props.isWide ? "dialog:w-[min(760px,calc(100vw-32px))]" : "dialog:w-110";
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
        <Base.Popup
          className={`${popupClass} ${width} ${className}`}
          initialFocus={props.initialFocus}
          finalFocus={finalFocus}
        >
          <div className={`grid px-6 pt-5 pb-3 max-dialog:px-4 max-dialog:pt-4 ${headClass}`}>
            <Base.Title className="font-semibold text-lg tracking-tight wrap-anywhere">
              {title}
            </Base.Title>
            {text ? (
              <Base.Description className="text-pretty text-ink-2 wrap-anywhere">
                {text}
              </Base.Description>
            ) : null}
          </div>
          <div data-dialog-body className={bodyClass}>
            {props.children}
          </div>
          {close}
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
    <DialogFrame
      {...props}
      Root={Base.Root}
      text={description}
      headClass="gap-1 pr-14"
      close={
        <Base.Close
          render={
            <IconButton
              icon={X}
              iconClass="size-4.5"
              label={t("common.close")}
              className="absolute top-3.5 right-4 pointer-coarse:-m-1 max-dialog:top-2.5 max-dialog:right-2.5"
            />
          }
        />
      }
    >
      {children}
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
