import * as z from "zod/mini";
import { type MessageKey, t } from "../i18n/index.ts";
import { toast } from "./notify.ts";

/** Messages of the forms in `src/shared/account.ts`. */
const rules: ReadonlySet<string> = new Set<MessageKey>([
  "validation.email",
  "validation.passwordMin",
  "validation.passwordMax",
  "validation.passwordsMatch",
  "validation.currentPassword",
  "validation.newPasswordMin",
  "validation.passwordConfirmationMin",
  "validation.newPasswordsMatch",
]);

const isRule = (message: string): message is MessageKey => rules.has(message);

/** The values as `form` has them, or null after telling the first rule that they break. */
export function checked<T>(form: z.ZodMiniType<T>, values: unknown): T | null {
  const result = z.safeParse(form, values);
  if (result.success) return result.data;
  const message = result.error.issues[0]?.message ?? "";
  toast({
    kind: "failure",
    title: t("auth.validationError"),
    description: t(isRule(message) ? message : "error.validation_failed"),
  });
  return null;
}
