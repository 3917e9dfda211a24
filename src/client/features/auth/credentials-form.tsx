import type { ComponentProps, ReactNode } from "react";
import { useT } from "#client/i18n/forms/index.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { useT as useAuthT } from "./messages/index.ts";

interface CredentialsFormProps {
  /** Adds a second field for the password. */
  isNewAccount: boolean;
  /** What was typed in the form of the other tab. */
  email: string;
  onEmailChange: (email: string) => void;
  busy: boolean;
  /** Below the fields. */
  children?: ReactNode;
  /** Called with the fields' texts by name. Resolves to null after success. */
  onSubmit: (values: Record<string, unknown>) => Promise<FieldErrors | null>;
}

export function CredentialsForm(props: CredentialsFormProps) {
  const { isNewAccount, email, onEmailChange, busy, children, onSubmit } = props;
  const t = useT();
  const tAuth = useAuthT();
  const password = {
    type: "password",
    autoComplete: isNewAccount ? "new-password" : "current-password",
    disabled: busy,
  };

  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4.5">
      <EmailField
        label={t("auth.email")}
        disabled={busy}
        defaultValue={email}
        onChange={(event) => onEmailChange(event.target.value)}
      />
      <TextField
        {...password}
        name="password"
        label={t("auth.password")}
        {...(isNewAccount && { hint: t("auth.passwordHint") })}
      />
      {isNewAccount ? (
        <TextField {...password} name="confirmPassword" label={t("auth.confirmPassword")} />
      ) : null}
      {children}
      <div className={footerClass}>
        <Button type="submit" look="ink" disabled={busy}>
          {isNewAccount ? tAuth("auth.createAccount") : t("auth.signIn")}
        </Button>
      </div>
    </Form>
  );
}

/** The account's address, as `email` of the form. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField {...props} name="email" type="email" autoComplete="username" spellCheck={false} />
  );
}
