import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useT } from "#client/i18n/library/index.ts";
import type { MenuEntry } from "#client/ui/menu-props.ts";

/** The library's entries in the account menu; none for a guest, who has no library. */
export function useLibraryMenu(signedIn: boolean): MenuEntry[] {
  const t = useT();
  const navigate = useNavigate();
  if (!signedIn) return [];
  return [
    {
      key: "trash",
      icon: Trash2,
      label: t("trash.title"),
      run: () => void navigate({ to: "/trash" }),
    },
  ];
}
