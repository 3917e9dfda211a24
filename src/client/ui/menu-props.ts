import type { LucideIcon } from "lucide-react";
import type { ComponentProps, RefObject } from "react";

export interface MenuEntry {
  key: string;
  icon: LucideIcon;
  label: string;
  run: () => void;
  destructive?: boolean;
  /** Takes the focus after the entry was chosen; by default the button does. */
  focus?: RefObject<HTMLElement | null>;
}

export const getEntryClass = ({ destructive }: MenuEntry) =>
  `touch-target flex select-none items-center gap-2.5 rounded-s px-3 py-2 outline-none ${destructive ? "text-seal-text data-highlighted:bg-seal-wash" : "text-ink-2 data-highlighted:bg-paper-3 data-highlighted:text-ink"}`;

export interface MenuProps {
  trigger: ComponentProps<"button">;
  /** Names who or what the menu belongs to. */
  heading: string;
  entries: readonly MenuEntry[];
}
