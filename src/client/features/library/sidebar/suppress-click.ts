/** Suppresses the click after a drag. `released`: the pointer is up, and the click follows at once. */
export function suppressClick(released: boolean): void {
  const capture = { capture: true };
  const suppress = (event: Event) => event.stopPropagation();
  const end = () => window.removeEventListener("click", suppress, capture);
  const endSoon = () => setTimeout(end);
  window.addEventListener("click", suppress, capture);
  if (released) {
    endSoon();
    return;
  }
  // If the browser has taken over the pointer, no click follows; the next press must not be suppressed.
  const removeListeners = () => {
    window.removeEventListener("pointerup", handleUp, capture);
    window.removeEventListener("pointerdown", handleDown, capture);
  };
  const handleUp = () => {
    removeListeners();
    endSoon();
  };
  const handleDown = () => {
    removeListeners();
    end();
  };
  window.addEventListener("pointerup", handleUp, capture);
  window.addEventListener("pointerdown", handleDown, capture);
}
