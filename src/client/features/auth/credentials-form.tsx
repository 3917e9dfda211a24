import { Button } from "#client/ui/button.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT } from "./messages/index.ts";

interface CredentialsFormProps {
  /** Adds a second field for the password. */
  isNewAccount: boolean;
  busy: boolean;
  /** Called when a field gets the focus. */
  onFocus: () => void;
  /** Called with the fields' texts by name. Resolves to null after success. */
  onSubmit: (values: Record<string, unknown>) => Promise<FieldErrors | null>;
}

export function CredentialsForm({ isNewAccount, busy, onFocus, onSubmit }: CredentialsFormProps) {
  const t = useT();
  const password = {
    type: "password",
    autoComplete: isNewAccount ? "new-password" : "current-password",
    disabled: busy,
  };

  return (
    <Form busy={busy} onFocus={onFocus} onSubmit={onSubmit} className="grid gap-4.5">
      <EmailField label={t("auth.email")} disabled={busy} />
      <TextField
        {...password}
        name="password"
        label={t("auth.password")}
        {...(isNewAccount && { hint: t("auth.passwordHint") })}
      />
      {isNewAccount ? (
        <TextField {...password} name="confirmPassword" label={t("auth.confirmPassword")} />
      ) : null}
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t(isNewAccount ? "auth.createAccount" : "auth.signIn")}
      </Button>
    </Form>
  );
}

/** The account's address, as `email` of the form. */
export function EmailField(props: { label: string; disabled: boolean }) {
  return (
    <TextField {...props} name="email" type="email" autoComplete="username" spellCheck={false} />
  );
}
