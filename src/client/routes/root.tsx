import { Outlet, useElementScrollRestoration } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";
import { useT } from "#client/i18n/index.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { Spinner } from "#client/ui/loading.tsx";

export function Root() {
  // Restores the scroll position after a reload: when the router does it, the page is not rendered yet.
  const [position] = useState(useElementScrollRestoration({ getElement: () => window }));
  useLayoutEffect(() => {
    reportFirstPage();
    return position && scrollWhenLongEnough(position.scrollY);
  }, [position]);
  return <Outlet />;
}

const inputs = ["wheel", "touchstart", "pointerdown", "keydown", "popstate"];

/** Scrolls to `top` once the page's content is there, unless the person does something before. */
function scrollWhenLongEnough(top: number): () => void {
  const end = new AbortController();
  const { signal } = end;
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top);
    if (window.scrollY >= Math.floor(top)) end.abort();
  });
  signal.addEventListener("abort", () => observer.disconnect());
  for (const input of inputs) window.addEventListener(input, () => end.abort(), { signal });
  // Is called at once, too, before the next paint.
  observer.observe(document.body);
  return () => end.abort();
}

/** While a later page is loaded. */
export function LoadingPage() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner label={useT()("common.loading")} />
    </div>
  );
}
