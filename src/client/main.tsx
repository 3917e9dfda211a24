import "./theme.css";
import "./highlights.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { commonMessages } from "./i18n/index.ts";
import { afterFirstPaint } from "./lib/after-first-paint.ts";
import { watchDeployments } from "./lib/new-version.ts";
import { router } from "./router.tsx";
import { visitor, watchVisitor } from "./state/auth.ts";
import { syncProfileTheme } from "./state/profile-theme.ts";
import { loadClient } from "./state/trpc.ts";

watchVisitor();
watchDeployments();
registerServiceWorker();
syncProfileTheme();
// Each call tries again.
afterFirstPaint(loadClient)().catch(() => {});
// The routes decide again what the new visitor may see.
visitor.subscribe(() => void router.invalidate());

void start();

/** Not awaited: pages import this module's file, and would wait for it. */
async function start(): Promise<void> {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  try {
    await Promise.all([commonMessages.load(), router.load()]);
  } catch (failure) {
    // Without messages no page can be shown: the document has a fallback text of its own.
    console.warn("The messages could not be fetched", failure);
    window.dispatchEvent(new Event("unloaded"));
    return;
  }
  const application = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  // Interruptible: a slow phone stays responsive while the first page renders.
  startTransition(() => {
    if (showsFirstPage(root)) hydrateRoot(root, application);
    else createRoot(root).render(application);
  });
}

/**
 * Whether the document shows the page as React will render it at first. Only /auth is the same for everybody; of
 * the others the document shows a picture.
 */
function showsFirstPage({ dataset }: HTMLElement): boolean {
  const { matches, location } = router.state;
  const match = matches.at(-1);
  const { forgotten, signUp, unconfirmed } = location.state;
  return (
    dataset.firstPage === "auth" &&
    match?.routeId === "/auth" &&
    match.status === "success" &&
    visitor.get().kind !== "user" &&
    !(forgotten || signUp || unconfirmed)
  );
}

/** Registers the service worker, which lets the program open offline from the next visit on. */
function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = () =>
    navigator.serviceWorker
      .register("/sw.js", { updateViaCache: "none" })
      .catch((failure: unknown) =>
        console.warn("The program is not kept for times without a network", failure),
      );
  // After the page's own files have loaded.
  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true });
}
