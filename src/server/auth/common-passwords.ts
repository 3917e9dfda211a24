import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import * as z from "zod/mini";
import { credentials, newPassword, passwordChange } from "#shared/account.ts";

// Only the server checks this, because the page does not load the list.

let commonPasswords: ReadonlySet<string> | null = null;

/** False for the 10,000 most common passwords, in any case. The list is in lower case, most common first. */
function isUncommon(password: string): boolean {
  commonPasswords ??= new Set(passwords.slice(0, 10_000));
  return !commonPasswords.has(password.toLowerCase());
}

const error = "validation.passwordCommon";
const hasUncommonPassword = z.refine<{ password: string }>(({ password }) => isUncommon(password), {
  error,
  path: ["password"],
});

export const signUpInput = credentials.check(hasUncommonPassword);
export const newPasswordInput = newPassword.check(hasUncommonPassword);
export const passwordChangeInput = passwordChange.check(
  z.refine((form) => isUncommon(form.newPassword), { error, path: ["newPassword"] }),
);
