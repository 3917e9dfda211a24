/** Suppresses the click after a drag. `released`: the pointer is up, and the click follows at once. */
export function suppressClick(released: boolean): void {
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  const end = () => controller.abort();
  const endSoon = () => setTimeout(end);
  window.addEventListener("click", (event) => event.stopPropagation(), options);
  if (released) {
    endSoon();
    return;
  }
  window.addEventListener("pointerup", endSoon, options);
  // If the browser has taken over the pointer, no click follows; the next press must not be suppressed.
  window.addEventListener("pointerdown", end, options);
}
