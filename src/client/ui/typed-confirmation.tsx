import { type ReactNode, useState } from "react";
import { useT } from "#client/i18n/forms/index.ts";
import { SubmitButtons } from "./dialog.tsx";
import { type FieldErrors, Form } from "./form.tsx";
import { TextField } from "./text-field.tsx";

interface TypedConfirmationProps {
  /** What has to be typed, ignoring case; the same in both interface languages. */
  word: string;
  label: string;
  /** Shown below the field after a wrong word. */
  errorText: string;
  submitLabel: string;
  busy: boolean;
  onCancel: () => void;
  onMismatch: () => void;
  onConfirm: (values: Record<string, unknown>) => Promise<FieldErrors | null>;
  /** More fields. */
  children?: ReactNode;
}

/** The form of a dialog that deletes what nobody deletes by mistake. */
export function TypedConfirmation(props: TypedConfirmationProps) {
  const { word, label, errorText, submitLabel, busy, onCancel, onMismatch, onConfirm } = props;
  const [text, setText] = useState("");
  const matches = text.trim().toLowerCase() === word;

  async function submit(values: Record<string, unknown>) {
    if (matches) return onConfirm(values);
    onMismatch();
    return { confirmation: errorText };
  }

  return (
    <Form busy={busy} onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        name="confirmation"
        label={label}
        value={text}
        disabled={busy}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // Enter does not submit a form whose button is disabled.
          if (event.key === "Enter" && !event.nativeEvent.isComposing && !matches)
            event.currentTarget.form?.requestSubmit();
        }}
      />
      {props.children}
      <SubmitButtons
        label={submitLabel}
        look="danger"
        disabled={!matches}
        busy={busy}
        onCancel={onCancel}
      />
    </Form>
  );
}

/** Asks the signed-in user to enter their password again, as `password` of the form. */
export function CurrentPasswordField({ disabled }: { disabled: boolean }) {
  const t = useT();
  return (
    <TextField
      name="password"
      type="password"
      label={t("password.current")}
      hint={t("password.confirmAction")}
      autoComplete="current-password"
      autoFocus
      required
      disabled={disabled}
    />
  );
}
