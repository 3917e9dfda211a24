import { useState } from "react";

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
