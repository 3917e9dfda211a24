import type { BaseUIEvent } from "@base-ui/react/types";
import type { KeyboardEvent } from "react";

/** For the button of a list: while the list is closed, letters are shortcuts of the page and must not change the choice. */
export function keepShortcuts(event: BaseUIEvent<KeyboardEvent<Element>>): void {
  const isClosed = event.currentTarget.getAttribute("aria-expanded") !== "true";
  if (isClosed && event.key.length === 1 && event.key !== " ") event.preventBaseUIHandler();
}
