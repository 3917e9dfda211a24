import { Outlet, useElementScrollRestoration } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";

export function Root() {
  // Restores the scroll position after a reload: when the router does it, the page is not rendered yet.
  const [position] = useState(useElementScrollRestoration({ getElement: () => window }));
  useLayoutEffect(() => {
    if (position) window.scrollTo(position.scrollX, position.scrollY);
    reportFirstPage();
  }, [position]);
  return <Outlet />;
}
