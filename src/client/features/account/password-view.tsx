import { type FormEvent, useState } from "react";
import { Button } from "#client/ui/button.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { type PasswordValues, sendResetLink, submitPasswordChange } from "./change-password.ts";
import { type MessageKey, useT } from "./messages/index.ts";

interface PasswordViewProps {
  email: string;
  onDone: () => void;
}

const emptyValues: PasswordValues = { currentPassword: "", newPassword: "", confirmPassword: "" };

export function PasswordView({ email, onDone }: PasswordViewProps) {
  const t = useT();
  const [values, setValues] = useState(emptyValues);
  const [busy, setBusy] = useState(false);
  const field = (name: keyof PasswordValues, label: MessageKey) => ({
    name,
    label: t(label),
    type: "password",
    autoComplete: name === "currentPassword" ? "current-password" : "new-password",
    value: values[name],
    disabled: busy,
    onChange: (event: { target: HTMLInputElement }) =>
      setValues((before) => ({ ...before, [name]: event.target.value })),
  });

  async function runBusy<T>(call: () => Promise<T>): Promise<T> {
    setBusy(true);
    try {
      return await call();
    } finally {
      setBusy(false);
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy && (await runBusy(() => submitPasswordChange(values)))) onDone();
  }

  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{t("password.title")}</h1>
      <p className="mt-1.5 text-ink-2">{t("password.text")}</p>
      <form noValidate onSubmit={submit} className="mt-6 grid max-w-95 gap-4.5">
        {/* Password managers read the account's name here. */}
        <input hidden name="username" autoComplete="username" value={email} readOnly />
        <TextField {...field("currentPassword", "password.current")} />
        <TextField {...field("newPassword", "password.new")} hint={t("auth.passwordHint")} />
        <TextField {...field("confirmPassword", "password.confirm")} />
        <div className="mt-1 flex flex-wrap gap-2">
          <Button type="submit" look="ink" disabled={busy}>
            {t("password.submit")}
          </Button>
          <Button disabled={busy} onClick={onDone}>
            {t("common.cancel")}
          </Button>
        </div>
      </form>
      <button
        type="button"
        disabled={busy}
        onClick={() => void runBusy(() => sendResetLink(email))}
        className="touch-target mt-6 text-left text-ink-2 text-sm underline underline-offset-3 hover:text-ink"
      >
        {t("password.forgotten")}
      </button>
    </>
  );
}
