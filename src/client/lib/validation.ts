import * as z from "zod/mini";
import { type MessageKey, t } from "#client/i18n/index.ts";
import { toastFailure } from "#client/state/notifications.ts";
import { getBrokenRule } from "./api-error.ts";

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

/** The parsed values, or null after a toast that names the first rule they break. */
export function validateForm<T>(form: z.ZodMiniType<T>, values: unknown): T | null {
  const result = z.safeParse(form, values);
  if (result.success) return result.data;
  notifyRule(result.error.issues[0]?.message ?? "");
  return null;
}

/** Shows the form rule that the server found broken. False when `failure` is about something else. */
export function notifyBrokenRule(failure: unknown): boolean {
  const message = getBrokenRule(failure);
  if (message === null) return false;
  notifyRule(message);
  return true;
}

function notifyRule(message: string): void {
  toastFailure(t("auth.validationError"), t(isRule(message) ? message : "error.validation_failed"));
}
