import { type FormEvent, useState } from "react";
import { Button } from "#client/ui/button.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import { type Recovery, setPassword } from "./recovery.ts";

interface ResetFormProps {
  email: string;
  onDone: (next: Recovery) => void;
}

export function ResetForm({ email, onDone }: ResetFormProps) {
  const t = useT();
  const [password, setPasswordText] = useState("");
  const [confirmPassword, setConfirmPassword] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const next = await setPassword({ password, confirmPassword });
    setBusy(false);
    if (next) onDone(next);
  }

  return (
    <form noValidate onSubmit={submit} className="grid w-full max-w-95 gap-4.5 text-left">
      {/* Password managers read the account's name here. */}
      <input hidden name="username" autoComplete="username" value={email} readOnly />
      <TextField
        name="password"
        label={t("reset.password")}
        type="password"
        autoComplete="new-password"
        hint={t("auth.passwordHint")}
        value={password}
        disabled={busy}
        onChange={(event) => setPasswordText(event.target.value)}
      />
      <TextField
        name="confirmPassword"
        label={t("reset.confirmPassword")}
        type="password"
        autoComplete="new-password"
        value={confirmPassword}
        disabled={busy}
        onChange={(event) => setConfirmPassword(event.target.value)}
      />
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t("reset.submit")}
      </Button>
    </form>
  );
}
