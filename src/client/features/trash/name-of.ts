import type { TrashItem } from "#shared/trash.ts";
import type { Translate } from "./messages/index.ts";

export const getTrashItemName = (
  t: Translate,
  { kind, name }: Pick<TrashItem, "kind" | "name">,
): string => (kind === "all_lectures" ? t("trash.allLectures") : name || t("home.untitled"));
