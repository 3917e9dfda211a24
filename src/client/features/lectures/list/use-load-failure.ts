import { useEffect } from "react";
import { useT } from "../../../i18n/index.ts";
import { toast } from "../../../lib/notify.ts";

/** Tells it, once each time that folders and lectures could not be loaded. */
export function useLoadFailure(failed: boolean): void {
  const t = useT();
  useEffect(() => {
    if (failed) toast({ kind: "failure", title: t("common.error"), description: t("home.failed") });
  }, [failed, t]);
}
