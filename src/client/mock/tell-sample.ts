import { toast } from "../lib/notify.ts";
import { useWords } from "./words.ts";

/** Tells what a button would do, and that it is a sample. */
export function useTellSample(): (what: string) => void {
  const t = useWords();
  return (what) => toast({ kind: "info", title: what, description: t("sample.text") });
}
