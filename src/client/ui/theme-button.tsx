import { Moon, Sun } from "lucide-react";
import { useT } from "#client/i18n/index.ts";
import { IconButton } from "./button.tsx";

/** Switches between the themes. */
export function ThemeButton({ isDark, onClick }: { isDark: boolean; onClick: () => void }) {
  const t = useT();
  return (
    <IconButton label={t(isDark ? "theme.toLight" : "theme.toDark")} onClick={onClick}>
      {/* By the document's class, which prerendered pages have before the program. */}
      <Sun className="hidden size-4.5 dark:block" />
      <Moon className="size-4.5 dark:hidden" />
    </IconButton>
  );
}
