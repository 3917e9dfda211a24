import { createContext, useContext } from "react";

/**
 * Returns the element that takes the focus when a dialog closes, or null for none. Without a function, the
 * element that had the focus before the dialog takes it, unless something else has taken it meanwhile.
 */
type FocusAfter = (() => HTMLElement | null) | null;

const Context = createContext<FocusAfter>(null);

/** For dialogs over changing content such as rows: the element that had the focus may be removed by then. */
export const FocusAfterDialog = Context.Provider;

export function useFinalFocus(): (() => HTMLElement | false) | true {
  const after = useContext(Context);
  // Base UI moves the focus to a function's result even if something else has taken it meanwhile.
  return after === null || (() => after() ?? false);
}
