import { lazy, Suspense, useState } from "react";
import type { MenuProps } from "./menu-props.ts";

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(loadPopup);

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
