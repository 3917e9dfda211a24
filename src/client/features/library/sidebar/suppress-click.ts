/** Swallows the click that ends a drag. `released`: the pointer is up, and the click follows at once. */
export function suppressClick(released: boolean): void {
  const capture = { capture: true };
  const swallow = (event: Event) => event.stopPropagation();
  const end = () => window.removeEventListener("click", swallow, capture);
  const soon = () => setTimeout(end);
  window.addEventListener("click", swallow, capture);
  if (released) {
    soon();
    return;
  }
  // Where the browser took the pointer, no click follows: the next press is another one.
  const forget = () => {
    window.removeEventListener("pointerup", up, capture);
    window.removeEventListener("pointerdown", down, capture);
  };
  const up = () => {
    forget();
    soon();
  };
  const down = () => {
    forget();
    end();
  };
  window.addEventListener("pointerup", up, capture);
  window.addEventListener("pointerdown", down, capture);
}
