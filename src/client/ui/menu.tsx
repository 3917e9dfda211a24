import { lazy, Suspense, useState } from "react";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import type { MenuProps } from "./menu-props.ts";

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(loadPopup);

// Whoever does not click need not hear of a failure.
const preload = () => void loadPopup().catch(() => {});

/** A button with a menu. The menu is loaded when somebody wants to see it. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const show = () => void loadPopup().then(() => setWanted(true), notifyLoadFailure);
  const closed = (
    <button
      {...props.trigger}
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={show}
    />
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
