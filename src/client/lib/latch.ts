import { useState } from "react";

/** True from the first time that `value` is: a widget is loaded when it is wanted, and stays. */
export function useLatch(value: boolean): boolean {
  const [ever, setEver] = useState(value);
  if (value && !ever) setEver(true);
  return ever || value;
}
