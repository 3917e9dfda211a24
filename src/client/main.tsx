import "./theme.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { commonMessages } from "./i18n/index.ts";
import { watchDeployments } from "./lib/new-version.ts";
import { router } from "./router.tsx";
import { visitor, watchVisitor } from "./state/auth.ts";
import { syncProfileTheme } from "./state/profile-theme.ts";

watchVisitor();
watchDeployments();
registerServiceWorker();
syncProfileTheme();
// The routes decide again what the new visitor may see.
visitor.subscribe(() => void router.invalidate());

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
try {
  await commonMessages.load();
  // Interruptible: a slow phone stays responsive while the first page renders.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
} catch (failure) {
  // Without messages no page can be shown: the document has a fallback text of its own.
  console.warn("The messages could not be fetched", failure);
  window.dispatchEvent(new Event("unloaded"));
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
