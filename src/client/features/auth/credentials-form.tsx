import { type FormEvent, useState } from "react";
import { Button } from "#client/ui/button.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { type MessageKey, useT } from "./messages/index.ts";

export interface CredentialsValues {
  email: string;
  password: string;
  confirmPassword: string;
}

interface CredentialsFormProps {
  submitLabel: MessageKey;
  /** A new account: the password is typed twice. */
  creating: boolean;
  busy: boolean;
  /** Called when a field gets the focus. */
  onBegin: () => void;
  onSubmit: (values: CredentialsValues) => void;
}

export function CredentialsForm({
  submitLabel,
  creating,
  busy,
  onBegin,
  onSubmit,
}: CredentialsFormProps) {
  const t = useT();
  const [values, setValues] = useState<CredentialsValues>({
    email: "",
    password: "",
    confirmPassword: "",
  });
  const field = (name: keyof CredentialsValues) => ({
    name,
    value: values[name],
    disabled: busy,
    onChange: (event: { target: HTMLInputElement }) =>
      setValues((before) => ({ ...before, [name]: event.target.value })),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy) onSubmit(values);
  }

  // The browser's messages would be in its own language: toasts name what is wrong instead.
  return (
    <form noValidate onFocus={onBegin} onSubmit={submit} className="grid gap-4.5">
      <TextField
        {...field("email")}
        label={t("auth.email")}
        type="email"
        autoComplete="username"
        spellCheck={false}
      />
      <TextField
        {...field("password")}
        label={t("auth.password")}
        type="password"
        autoComplete={creating ? "new-password" : "current-password"}
        {...(creating && { hint: t("auth.passwordHint") })}
      />
      {creating ? (
        <TextField
          {...field("confirmPassword")}
          label={t("auth.confirmPassword")}
          type="password"
          autoComplete="new-password"
        />
      ) : null}
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t(submitLabel)}
      </Button>
    </form>
  );
}
