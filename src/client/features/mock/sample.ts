import { type ToastMessage, toast } from "#client/lib/notifications.ts";
import { useT } from "./messages/index.ts";

/** The language of the sample texts, independent of the interface's. */
export const sampleLanguage = "zh-Hans";

/** Shows a toast that names what a button would do and says that it is a sample. */
export function useNotifySample(): (title: string, kind?: ToastMessage["kind"]) => void {
  const t = useT();
  return (title, kind = "info") => toast({ kind, title, description: t("mock.sample.text") });
}
