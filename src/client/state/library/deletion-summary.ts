import type { Translate } from "#client/i18n/library/index.ts";

export function formatDeletedCounts(
  t: Translate,
  { lectures, folders }: { lectures: number; folders: number },
): string {
  if (folders === 0) return t("trash.lectures", { count: lectures });
  if (lectures === 0) return t("trash.folders", { count: folders });
  return t("trash.both", {
    lectures: t("trash.lectures", { count: lectures }),
    folders: t("trash.folders", { count: folders }),
  });
}
