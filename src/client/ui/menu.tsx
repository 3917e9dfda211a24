import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
}

export function Menu({ trigger, children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="z-10 outline-none">
          <Base.Popup className="min-w-52 rounded-m border border-rule bg-sheet p-1 text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Who or what the menu belongs to; not an entry. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <div className="max-w-64 truncate border-rule border-b px-3 pt-1.5 pb-2.5 mb-1 text-ink-3 text-sm">
      {children}
    </div>
  );
}

interface MenuItemProps {
  icon: ReactNode;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, onClick, children }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onClick}
      className="touch-target flex select-none items-center gap-2.5 rounded-s px-3 py-2 text-ink-2 outline-none data-highlighted:bg-paper-3 data-highlighted:text-ink"
    >
      {icon}
      {children}
    </Base.Item>
  );
}
