import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useT } from "#client/i18n/library/index.ts";
import type { MenuEntry } from "#client/ui/menu-props.ts";

/** What the pages of the library add to the account menu; nothing for a guest, who has none. */
export function useLibraryMenu(signedIn: boolean): MenuEntry[] {
  const t = useT();
  const navigate = useNavigate();
  if (!signedIn) return [];
  return [
    {
      key: "trash",
      icon: <Trash2 className="size-4" aria-hidden="true" />,
      label: t("trash.title"),
      run: () => void navigate({ to: "/trash" }),
    },
  ];
}
