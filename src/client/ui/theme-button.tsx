import { Moon, Sun } from "lucide-react";
import { useT } from "#client/i18n/index.ts";
import { IconButton } from "./button.tsx";

/** Switches between the themes. */
export function ThemeButton({ isDark, onClick }: { isDark: boolean; onClick: () => void }) {
  const t = useT();
  const Icon = isDark ? Sun : Moon;
  return (
    <IconButton label={t(isDark ? "theme.toLight" : "theme.toDark")} onClick={onClick}>
      <Icon className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}
