import { useState } from "react";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";

/** For a button whose popup is loaded when it is first opened. */
export function useLazyPopup(load: () => Promise<unknown>) {
  const [isLoaded, setLoaded] = useState(false);
  const show = () => void load().then(() => setLoaded(true), notifyLoadFailure);
  // A failed preload is not reported: a click tries again.
  const preload = () => void load().catch(() => {});
  return {
    isLoaded,
    show,
    buttonProps: { onPointerEnter: preload, onFocus: preload, onClick: show },
  };
}
