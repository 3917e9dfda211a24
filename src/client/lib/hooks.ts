import { useState } from "react";

/** Stays true once `value` has been true: a widget is loaded when first needed, and stays mounted. */
export function useLatch(value: boolean): boolean {
  const [latched, setLatched] = useState(value);
  if (value && !latched) setLatched(true);
  return latched || value;
}

/** Whether a call is in flight, and the function that runs one. */
export function useBusy(): [busy: boolean, run: <T>(call: () => Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    setBusy(true);
    try {
      return await call();
    } finally {
      setBusy(false);
    }
  };
  return [busy, run];
}
