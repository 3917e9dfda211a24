import type { ComponentProps, ReactNode, RefObject } from "react";

export interface MenuEntry {
  key: string;
  icon: ReactNode;
  label: string;
  run: () => void;
  /** Has the focus after it was chosen; without it the button has. */
  focus?: RefObject<HTMLElement | null>;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ComponentProps<"button">;
  /** Who or what the menu belongs to; not an entry. */
  heading: string;
  entries: readonly MenuEntry[];
}
