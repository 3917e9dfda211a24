import { createContext, useContext } from "react";

/** What has the focus once a dialog is closed; null: what had it before. */
const FocusAfter = createContext<() => HTMLElement | null>(() => null);

/** For dialogs over something whose parts come and go, such as rows: what had the focus may be gone by then. */
export const FocusAfterDialog = FocusAfter.Provider;

/** The `finalFocus` of a dialog's popup. */
export function useFinalFocus(): () => HTMLElement | true {
  const after = useContext(FocusAfter);
  return () => after() ?? true;
}
