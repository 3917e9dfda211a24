import { createContext, useContext } from "react";

/**
 * What has the focus once a dialog is closed: what the function answers, and nothing where that is null. Without a
 * function, what had it before, unless it went to another place by itself.
 */
type FocusAfter = (() => HTMLElement | null) | null;

const Context = createContext<FocusAfter>(null);

/** For dialogs over something whose parts come and go, such as rows: what had the focus may be gone by then. */
export const FocusAfterDialog = Context.Provider;

export function useFinalFocus(): (() => HTMLElement | false) | true {
  const after = useContext(Context);
  // A function takes the focus back also from where it went by itself.
  return after === null || (() => after() ?? false);
}
