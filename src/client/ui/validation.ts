import * as z from "zod/mini";
import { type MessageKey, t } from "#client/i18n/forms/index.ts";
import { getBrokenRule } from "#client/lib/call-server.ts";
import type { FieldErrors } from "./form.tsx";
import { toastFormFailure } from "./form-failure.ts";

const rules: ReadonlySet<string> = new Set<MessageKey>([
  "validation.email",
  "validation.passwordMin",
  "validation.passwordMax",
  "validation.passwordsMatch",
  "validation.currentPassword",
  "validation.newPasswordMin",
  "validation.passwordConfirmationMin",
  "validation.newPasswordsMatch",
  "validation.passwordCommon",
]);

const isRule = (message: string): message is MessageKey => rules.has(message);

const toText = (message: string) => t(isRule(message) ? message : "error.validation_failed");

type Validated<T> = { data: T; errors?: never } | { data?: never; errors: FieldErrors };

/** The parsed values, or what is wrong with each field, after a toast that names the first broken rule. */
export function validateForm<T>(form: z.ZodMiniType<T>, values: unknown): Validated<T> {
  const { success, data, error } = z.safeParse(form, values);
  if (success) return { data };
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0])] ??= toText(message);
  notifyRule(error.issues[0]?.message ?? "");
  return { errors };
}

/**
 * Shows the form rule that the server found broken, which is about `field`: it checks more than the page does
 * for new passwords alone. Null when `failure` is about something else.
 */
export function notifyBrokenRule(failure: unknown, field: string): FieldErrors | null {
  const message = getBrokenRule(failure);
  if (message === null) return null;
  notifyRule(message);
  return { [field]: toText(message) };
}

function notifyRule(message: string): void {
  toastFormFailure(t("auth.validationError"), toText(message));
}
