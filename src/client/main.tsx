import "./theme.css";
import "./highlights.css";
import { type ReactNode, StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { commonMessages } from "./i18n/index.ts";
import { afterFirstPaint } from "./lib/after-first-paint.ts";
import { watchDeployments } from "./lib/new-version.ts";
import { PageFrame } from "./page-frame.tsx";
import { syncProfileTheme } from "./state/profile-theme.ts";
import { watchVisitor } from "./state/session.ts";
import { loadClient } from "./state/trpc.ts";

watchVisitor();
watchDeployments();
registerServiceWorker();
syncProfileTheme();
// Each call tries again.
afterFirstPaint(loadClient)().catch(() => {});

let root: Root | null = null;
let isApplicationShown = false;

void start();

/** Not awaited: pages import this module's file, and would wait for it. */
async function start(): Promise<void> {
  const element = document.getElementById("root");
  if (!element) throw new Error("index.html has no #root");
  try {
    await commonMessages.load();
    const authStart = await loadAuthStart(element);
    if (!authStart) return await showApplication(element);
    // Interruptible: a slow phone stays responsive while the first page renders.
    startTransition(() => {
      // A failure in this page is shown by the application.
      const onUncaughtError = () => void showApplication(element);
      root = hydrateRoot(element, frame(authStart), { onUncaughtError });
    });
    afterFirstPaint(() => import("./application.tsx"))().catch(() => {});
  } catch (failure) {
    showLoadFailure(failure);
  }
}

/** The sign-in page where the document shows it as React will render it at first; otherwise null. */
async function loadAuthStart(element: HTMLElement): Promise<ReactNode> {
  const { forgotten, signUp, unconfirmed } = history.state ?? {};
  if (element.dataset.firstPage !== "auth" || forgotten || signUp || unconfirmed) return null;
  const { loadAuthStart } = await import("./auth-start.tsx");
  return loadAuthStart(() => showApplication(element));
}

/** Shows the page at the document's address. Of /auth the document shows what will be; of others a picture. */
async function showApplication(element: HTMLElement): Promise<void> {
  if (isApplicationShown) return;
  isApplicationShown = true;
  try {
    const { loadApplication } = await import("./application.tsx");
    // A task of its own: together with the modules' first run it would block input.
    await new Promise((resolve) => setTimeout(resolve));
    const application = await loadApplication();
    startTransition(() => {
      root ??= createRoot(element);
      root.render(frame(application));
    });
  } catch (failure) {
    showLoadFailure(failure);
  }
}

/** The frame is the same for all pages: a message that it shows stays when the application comes. */
const frame = (page: ReactNode) => (
  <StrictMode>
    <PageFrame>{page}</PageFrame>
  </StrictMode>
);

/** The document has a text for this: without messages or the router there is no page. */
function showLoadFailure(failure: unknown): void {
  console.warn("The program could not be fetched", failure);
  root?.unmount();
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
