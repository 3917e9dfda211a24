import * as z from "zod/mini";
import { passwordMaxBytes, passwordMinLength } from "./limits.ts";

/** Messages are keys of the interface's messages: the page shows them in its language. */
const email = z
  .string()
  .check(z.trim(), z.maxLength(254, "validation.email"), z.email("validation.email"));

const countBytes = (value: string) => new TextEncoder().encode(value).length;

const password = z.string().check(
  z.minLength(passwordMinLength, "validation.passwordMin"),
  z.refine((value) => countBytes(value) <= passwordMaxBytes, "validation.passwordMax"),
);

/** Sign up and sign in take the same two. */
export const credentials = z.object({ email, password });
export type Credentials = z.infer<typeof credentials>;

/** What `auth.forgotPassword` takes. */
export const forgotPasswordInput = z.object({ email });

/** What `auth.setPassword` takes. */
export const newPassword = z.object({ password });

const currentPassword = z.string().check(
  z.minLength(1, "validation.currentPassword"),
  z.refine((value) => countBytes(value) <= passwordMaxBytes, "validation.passwordMax"),
);

/** What sensitive calls take beside their own input, when they have answered `reauthentication_required`. */
export const reauthentication = z.object({ password: z.optional(currentPassword) });

export const passwordChange = z.object({
  currentPassword,
  newPassword: password,
});

/** 'delete', typed in any case. */
export const deleteAccountInput = z.extend(reauthentication, {
  confirmation: z.string().check(
    z.trim(),
    z.refine((value) => value.toLowerCase() === "delete", "validation.typeDelete"),
  ),
});

const passwordsMatch = (form: { password: string; confirmPassword: string }) =>
  form.password === form.confirmPassword;

/** The sign-up form: as `credentials`, with the password typed twice. */
export const signUpForm = z
  .extend(credentials, { confirmPassword: password })
  .check(
    z.refine(passwordsMatch, { error: "validation.passwordsMatch", path: ["confirmPassword"] }),
  );

/** The form behind a reset link: the new password, typed twice. */
export const resetForm = z
  .extend(newPassword, { confirmPassword: password })
  .check(
    z.refine(passwordsMatch, { error: "validation.passwordsMatch", path: ["confirmPassword"] }),
  );

/** The change-password form: as `passwordChange`, with its own words and the new one typed twice. */
export const passwordChangeForm = z
  .extend(passwordChange, {
    newPassword: z.string().check(
      z.minLength(passwordMinLength, "validation.newPasswordMin"),
      z.refine((value) => countBytes(value) <= passwordMaxBytes, "validation.passwordMax"),
    ),
    confirmPassword: z
      .string()
      .check(z.minLength(passwordMinLength, "validation.passwordConfirmationMin")),
  })
  .check(
    z.refine((form) => form.newPassword === form.confirmPassword, {
      error: "validation.newPasswordsMatch",
      path: ["confirmPassword"],
    }),
  );

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The signed-in user, as far as the browser knows them. */
export interface SessionUser {
  id: string;
  email: string;
  /** Whether the address was confirmed by a link that was sent to it. */
  emailVerified: boolean;
}

/** What a caller without cookies holds. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the access token ends, ISO 8601. */
  expiresAt: string;
}
