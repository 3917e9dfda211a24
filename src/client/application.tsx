import { RouterProvider } from "@tanstack/react-router";
import { router } from "./router.tsx";
import { visitor } from "./state/visitor.ts";

// The routes decide again what the new visitor may see.
visitor.subscribe(() => void router.invalidate());

/** The application at the document's address. */
export async function loadApplication() {
  await router.load();
  return <RouterProvider router={router} />;
}
