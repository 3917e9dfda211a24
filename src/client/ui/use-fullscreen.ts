import { useEffect, useEffectEvent } from "react";

/** Shows the document in the browser's full screen while `on`. `onExit`: the person has left it. */
export function useFullscreen(on: boolean, onExit: () => void): void {
  const handleExit = useEffectEvent(() => {
    if (!document.fullscreenElement) onExit();
  });
  useEffect(() => {
    if (!on || !document.fullscreenEnabled) return;
    let isOn = true;
    const leave = () => {
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    };
    const exited = () => handleExit();
    // The whole document, because popups are outside a panel. Where it is refused, the page's own size is enough.
    document.documentElement.requestFullscreen().then(
      () => (isOn ? document.addEventListener("fullscreenchange", exited) : leave()),
      () => {},
    );
    return () => {
      isOn = false;
      document.removeEventListener("fullscreenchange", exited);
      leave();
    };
  }, [on]);
}
