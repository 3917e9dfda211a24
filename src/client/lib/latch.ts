import { useState } from "react";

/** Stays true once `value` has been true: a widget is loaded when first needed, and stays mounted. */
export function useLatch(value: boolean): boolean {
  const [latched, setLatched] = useState(value);
  if (value && !latched) setLatched(true);
  return latched || value;
}
