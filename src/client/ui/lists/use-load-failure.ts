import { useEffect } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { toastFailure } from "#client/lib/notifications.ts";

export function useLoadFailure(failed: boolean): void {
  const t = useT();
  useEffect(() => {
    if (failed) toastFailure(t("common.error"), t("home.failed"));
  }, [failed, t]);
}
