import { useBusy } from "#client/lib/hooks.ts";
import { Button } from "#client/ui/button.tsx";
import { Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";
import { type Recovery, setPassword } from "./recovery.ts";

interface ResetFormProps {
  email: string;
  onDone: (next: Recovery) => void;
}

export function ResetForm({ email, onDone }: ResetFormProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const field = { type: "password", autoComplete: "new-password", disabled: busy };

  async function submit(values: unknown) {
    const next = await run(() => setPassword(values));
    if ("errors" in next) return next.errors;
    onDone(next);
    return null;
  }

  return (
    <Form busy={busy} onSubmit={submit} className="grid w-full max-w-95 gap-4.5 text-left">
      {/* Password managers read the account's name here. */}
      <input hidden name="username" autoComplete="username" value={email} readOnly />
      <TextField
        {...field}
        name="password"
        label={t("reset.password")}
        hint={t("auth.passwordHint")}
      />
      <TextField {...field} name="confirmPassword" label={t("reset.confirmPassword")} />
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t("reset.submit")}
      </Button>
    </Form>
  );
}
