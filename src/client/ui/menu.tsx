import { lazy, Suspense, useState } from "react";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import type { MenuProps } from "./menu-props.ts";

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(loadPopup);

// A failed preload is not reported: a click tries again.
const preload = () => void loadPopup().catch(() => {});

/** A button with a menu, which is loaded when it is first opened. */
export function Menu(props: MenuProps) {
  const [isLoaded, setLoaded] = useState(false);
  const show = () => void loadPopup().then(() => setLoaded(true), notifyLoadFailure);
  const button = (
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
  if (!isLoaded) return button;
  return (
    <Suspense fallback={button}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
