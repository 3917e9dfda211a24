import { toast } from "#client/state/notifications.ts";
import { useT } from "./messages/index.ts";

/** Tells what a button would do, and that it is a sample. */
export function useNotifySample(): (what: string) => void {
  const t = useT();
  return (what) => toast({ kind: "info", title: what, description: t("mock.sample.text") });
}
