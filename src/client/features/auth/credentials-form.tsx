import { Button } from "#client/ui/button.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";

interface CredentialsFormProps {
  /** A new account: the password is typed twice. */
  creating: boolean;
  busy: boolean;
  /** Called when a field gets the focus. */
  onBegin: () => void;
  /** Called with the fields' texts by name. Resolves to null after success. */
  onSubmit: (values: Record<string, unknown>) => Promise<FieldErrors | null>;
}

export function CredentialsForm({ creating, busy, onBegin, onSubmit }: CredentialsFormProps) {
  const t = useT();
  const password = {
    type: "password",
    autoComplete: creating ? "new-password" : "current-password",
    disabled: busy,
  };

  return (
    <Form busy={busy} onFocus={onBegin} onSubmit={onSubmit} className="grid gap-4.5">
      <TextField
        name="email"
        label={t("auth.email")}
        type="email"
        autoComplete="username"
        spellCheck={false}
        disabled={busy}
      />
      <TextField
        {...password}
        name="password"
        label={t("auth.password")}
        {...(creating && { hint: t("auth.passwordHint") })}
      />
      {creating ? (
        <TextField {...password} name="confirmPassword" label={t("auth.confirmPassword")} />
      ) : null}
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t(creating ? "auth.createAccount" : "auth.signIn")}
      </Button>
    </Form>
  );
}
