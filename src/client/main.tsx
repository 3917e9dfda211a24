import "./theme.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { showLanguage, storedLanguage, t } from "./i18n/index.ts";
import { onSessionExpired, visitor, watchVisitors } from "./lib/auth.ts";
import { watchDeployments } from "./lib/deployment.ts";
import { toast } from "./lib/notify.ts";
import { keepShell } from "./lib/service-worker.ts";
import { watchProfileTheme } from "./lib/theme.ts";
import { router } from "./router.tsx";

watchVisitors();
watchDeployments();
keepShell();
watchProfileTheme();
// Who is there decides what may be shown.
visitor.subscribe(() => void router.invalidate());
onSessionExpired(() =>
  toast({
    kind: "failure",
    title: t("auth.sessionExpired"),
    description: t("auth.sessionExpiredText"),
  }),
);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
try {
  await showLanguage(storedLanguage());
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
} catch (failure) {
  // Without words there is no page: the document has some of its own.
  console.warn("The words could not be fetched", failure);
  window.dispatchEvent(new Event("unloaded"));
}
