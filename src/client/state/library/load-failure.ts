import { t } from "#client/i18n/library/index.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { isNotFound } from "./cache.ts";

/** What stands in place of a lecture that could not be loaded because of `failure`. */
export function describeLoadFailure(failure: unknown): { title: string; text: string } {
  if (isNotFound(failure)) return { title: t("lecture.notFound"), text: t("lecture.notFoundText") };
  // The server has not answered.
  if (toApiError(failure).code === "unavailable")
    return { title: t("lecture.loadError"), text: t("lecture.loadErrorText") };
  return { title: t("lecture.loadRefused"), text: getErrorMessage(failure) };
}
