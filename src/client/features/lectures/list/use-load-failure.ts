import { useEffect } from "react";
import { toastFailure } from "../../../lib/notify.ts";
import { useT } from "../messages/index.ts";

export function useLoadFailure(failed: boolean): void {
  const t = useT();
  useEffect(() => {
    if (failed) toastFailure(t("common.error"), t("home.failed"));
  }, [failed, t]);
}
