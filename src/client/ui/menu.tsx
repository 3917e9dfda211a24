import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from "react";

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(loadPopup);

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

/** A button with a menu. The menu is loaded when somebody wants to see it. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = (
    <button
      {...props.trigger}
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={loadPopup}
      onFocus={loadPopup}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
