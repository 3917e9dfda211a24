import type { ComponentProps, ReactNode } from "react";

export interface MenuEntry {
  key: string;
  icon: ReactNode;
  label: string;
  run: () => void;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ComponentProps<"button">;
  /** Who or what the menu belongs to; not an entry. */
  heading: string;
  entries: readonly MenuEntry[];
}
