import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import * as z from "zod/mini";
import { credentials, newPassword, passwordChange } from "#shared/account.ts";

/** Of the list, which begins with the most common, in lower case. */
const commonCount = 10_000;
let commonPasswords: ReadonlySet<string> | null = null;

/** Whether `password`, in any case of its letters, is one of the 10,000 most common. */
function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(passwords.slice(0, commonCount));
  return commonPasswords.has(password.toLowerCase());
}

const isUncommon = (password: string) => !isCommonPassword(password);
const error = "validation.passwordCommon";

// Server-side schemas with the check, because the page does not load the list.

export const signUpInput = credentials.check(
  z.refine(({ password }) => isUncommon(password), { error, path: ["password"] }),
);

export const newPasswordInput = newPassword.check(
  z.refine(({ password }) => isUncommon(password), { error, path: ["password"] }),
);

export const passwordChangeInput = passwordChange.check(
  z.refine((form) => isUncommon(form.newPassword), { error, path: ["newPassword"] }),
);
