import { RouterProvider } from "@tanstack/react-router";
import { afterFirstPaint } from "./lib/after-first-paint.ts";
import { router } from "./router.tsx";
import { visitor } from "./state/visitor.ts";

afterFirstPaint(async () => (await import("./lib/foreign-nodes.ts")).acceptForeignNodes())().catch(
  () => {},
);

// The routes decide again what the new visitor may see.
visitor.subscribe(() => void router.invalidate());

/** The application at the document's address. */
export async function loadApplication() {
  await router.load();
  return <RouterProvider router={router} />;
}
