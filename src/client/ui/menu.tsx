import { lazy, Suspense } from "react";
import { useLazyPopup } from "#client/lib/lazy.tsx";
import type { MenuProps } from "./menu-entries.tsx";

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(loadPopup);

/** A button with a menu, which is loaded when it is first opened. */
export function Menu(props: MenuProps) {
  const { isLoaded, buttonProps } = useLazyPopup(loadPopup);
  const button = (
    <button
      {...props.trigger}
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      {...buttonProps}
    />
  );
  if (!isLoaded) return button;
  return (
    <Suspense fallback={button}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
