import { toast } from "#client/state/notifications.ts";
import { useT } from "./messages/index.ts";

/** Shows a toast that names what a button would do and says that it is a sample. */
export function useNotifySample(): (what: string) => void {
  const t = useT();
  return (what) => toast({ kind: "info", title: what, description: t("mock.sample.text") });
}
