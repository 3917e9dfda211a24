/** The lecture that was opened from a list and has just been left; the list gives its link the focus. */
let left: string | null = null;

const forget = () => {
  left = null;
};

/** Lecture `id` was closed. What somebody does next makes that a thing of the past. */
export function returnFrom(id: string): void {
  left = id;
  for (const event of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(event, forget, { once: true, capture: true, passive: true });
}

/** True once for the lecture that was left. */
export function takeReturn(id: string): boolean {
  if (left !== id) return false;
  left = null;
  return true;
}
