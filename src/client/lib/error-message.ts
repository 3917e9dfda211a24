import { t } from "#client/i18n/index.ts";
import { toApiError } from "./call-server.ts";

/** The text that tells a user why a call failed; after too many calls, when to try again. */
export function getErrorMessage(failure: unknown): string {
  const { code, retryAfterSeconds } = toApiError(failure);
  if (code === "rate_limited" && retryAfterSeconds !== undefined)
    return t("common.tryAgainIn", { minutes: Math.max(1, Math.ceil(retryAfterSeconds / 60)) });
  return t(`error.${code}`);
}
