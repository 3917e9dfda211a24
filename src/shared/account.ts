import * as z from "zod/mini";
import { passwordMaxBytes, passwordMinLength } from "./limits.ts";

/** The error messages are message keys of the interface, so that the page can show them in its language. */
const email = z
  .string()
  .check(z.trim(), z.maxLength(254, "validation.email"), z.email("validation.email"));

const countBytes = (value: string) => new TextEncoder().encode(value).length;

const createPassword = (minLength: number, tooShort: string) =>
  z.string().check(
    z.minLength(minLength, tooShort),
    z.refine((value) => countBytes(value) <= passwordMaxBytes, "validation.passwordMax"),
  );
const password = createPassword(passwordMinLength, "validation.passwordMin");

/** Input of `auth.signUp` and `auth.signIn`. */
export const credentials = z.object({ email, password });
export type Credentials = z.infer<typeof credentials>;

/** Input of `auth.forgotPassword`. */
export const forgotPasswordInput = z.object({ email });

/** Input of `auth.setPassword`. */
export const newPassword = z.object({ password });

const currentPassword = createPassword(1, "validation.currentPassword");

/** Extra input of sensitive calls, sent again after they failed with `reauthentication_required`. */
export const reauthentication = z.object({ password: z.optional(currentPassword) });

export const passwordChange = z.object({
  currentPassword,
  newPassword: password,
});

/** `confirmation` is the word "delete", in upper or lower case. */
export const deleteAccountInput = z.extend(reauthentication, {
  confirmation: z.string().check(
    z.trim(),
    z.refine((value) => value.toLowerCase() === "delete", "validation.typeDelete"),
  ),
});

/** A password that is typed a second time. That it equals the first is checked with the form. */
const repeatedPassword = z
  .string()
  .check(z.minLength(passwordMinLength, "validation.passwordConfirmationMin"));

const passwordsMatch = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  { error: "validation.passwordsMatch", path: ["confirmPassword"] },
);

/** The sign-up form: `credentials` and the repeated password. */
export const signUpForm = z
  .extend(credentials, { confirmPassword: repeatedPassword })
  .check(passwordsMatch);

/** The form behind a reset link: the new password and its repetition. */
export const resetForm = z
  .extend(newPassword, { confirmPassword: repeatedPassword })
  .check(passwordsMatch);

/** The change-password form: `passwordChange` and the repeated new password, with error messages of its own. */
export const passwordChangeForm = z
  .extend(passwordChange, {
    newPassword: createPassword(passwordMinLength, "validation.newPasswordMin"),
    confirmPassword: repeatedPassword,
  })
  .check(
    z.refine((form) => form.newPassword === form.confirmPassword, {
      error: "validation.newPasswordsMatch",
      path: ["confirmPassword"],
    }),
  );

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** What the browser knows about the signed-in user. */
export interface SessionUser {
  id: string;
  email: string;
  /** True when the user has opened the confirmation link that was sent to the address. */
  emailVerified: boolean;
}

/** The credentials of a caller that uses no cookies. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the access token expires, ISO 8601. */
  expiresAt: string;
}
