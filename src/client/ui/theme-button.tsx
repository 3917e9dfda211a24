import type { ComponentProps } from "react";
import { useT } from "#client/i18n/index.ts";
import { IconButton } from "./button.tsx";

/** Switches between the themes. Drawn here, because the first page has no other icon. */
export function ThemeButton({ isDark, onClick }: { isDark: boolean; onClick: () => void }) {
  const t = useT();
  return (
    <IconButton label={t(isDark ? "theme.toLight" : "theme.toDark")} onClick={onClick}>
      {/* By the document's class, which prerendered pages have before the program. */}
      <Icon className="hidden dark:block">
        <circle cx="12" cy="12" r="4" />
        <path d="M12 2v2m0 16v2M4.9 4.9l1.4 1.4m11.4 11.4 1.4 1.4M2 12h2m16 0h2M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4" />
      </Icon>
      <Icon className="dark:hidden">
        <path d="M21 12.8A9 9 0 1 1 11.2 3a7 7 0 0 0 9.8 9.8Z" />
      </Icon>
    </IconButton>
  );
}

const Icon = ({ className, children }: ComponentProps<"svg">) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className={`size-4.5 ${className}`}
  >
    {children}
  </svg>
);
