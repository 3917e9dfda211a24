import { Moon, Sun } from "lucide-react";
import { useT } from "../../i18n/index.ts";
import { useValue } from "../../lib/signal.ts";
import { theme, toggleTheme } from "../../lib/theme.ts";
import { IconButton } from "../../ui/button.tsx";

export function ThemeToggle() {
  const t = useT();
  const dark = useValue(theme) === "dark";
  const Icon = dark ? Sun : Moon;
  return (
    <IconButton label={t(dark ? "theme.toLight" : "theme.toDark")} onClick={toggleTheme}>
      <Icon className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}
