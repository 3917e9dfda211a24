import * as z from "zod/mini";
import { credentials, signUpForm } from "../../../shared/account.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import { type MessageKey, t } from "../../i18n/index.ts";
import { signIn, signUp } from "../../lib/auth.ts";
import { toApiError } from "../../lib/failure.ts";
import { toast } from "../../lib/notify.ts";
import type { CredentialsValues } from "./credentials-form.tsx";

/** Messages of the forms in `src/shared/account.ts`. */
const rules: Record<string, MessageKey> = {
  "validation.email": "validation.email",
  "validation.passwordMin": "validation.passwordMin",
  "validation.passwordMax": "validation.passwordMax",
  "validation.passwordsMatch": "validation.passwordsMatch",
};

/** The values as `form` has them, or null after telling the first rule that they break. */
function checked<T>(form: z.ZodMiniType<T>, values: CredentialsValues): T | null {
  const result = z.safeParse(form, values);
  if (result.success) return result.data;
  const key = rules[result.error.issues[0]?.message ?? ""] ?? "error.validation_failed";
  toast({ kind: "failure", title: t("auth.validationError"), description: t(key) });
  return null;
}

function tellRefusal(code: ErrorCode): void {
  if (code === "email_in_use") {
    toast({ kind: "failure", title: t("auth.exists"), description: t("auth.existsText") });
    return;
  }
  toast({ kind: "failure", title: t("auth.error"), description: t(`error.${code}`) });
}

/** Signs in with what was typed; tells the outcome. */
export async function submitSignIn(values: CredentialsValues): Promise<void> {
  const form = checked(credentials, values);
  if (!form) return;
  try {
    await signIn(form);
    toast({ kind: "success", title: t("auth.welcomeBack") });
  } catch (failure) {
    tellRefusal(toApiError(failure).code);
  }
}

/** Makes an account of what was typed and enters it; tells the outcome. */
export async function submitSignUp(values: CredentialsValues): Promise<void> {
  const form = checked(signUpForm, values);
  if (!form) return;
  try {
    const user = await signUp({ email: form.email, password: form.password });
    toast({
      kind: "success",
      title: t("auth.created"),
      description: t("auth.createdText", { email: user.email }),
    });
  } catch (failure) {
    tellRefusal(toApiError(failure).code);
  }
}
