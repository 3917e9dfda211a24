import { useT } from "#client/i18n/forms/index.ts";
import { TextField } from "./text-field.tsx";

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
