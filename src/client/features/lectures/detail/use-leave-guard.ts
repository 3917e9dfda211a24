import { useBlocker } from "@tanstack/react-router";

/**
 * Asks before lecture `id` is left with something unsaved: by a link, by going back, by closing the page
 * (there the browser asks).
 */
export function useLeaveGuard(unsaved: boolean, id: string) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) =>
      unsaved && !("lecture" in next.search && next.search.lecture === id && next.pathname === "/"),
    enableBeforeUnload: unsaved,
    disabled: !unsaved,
    withResolver: true,
  });
  return {
    asking: blocker.status === "blocked",
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
  };
}
