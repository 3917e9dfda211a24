import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type HistoryState,
  RouterProvider,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import LibraryProvider from "#client/routes/library-provider.tsx";
import { queryClient } from "#client/state/queries.tsx";
import { show } from "./page.tsx";

/** Renders `node` with a router, the library's data and its dialogs. `state`: what the navigation passes. */
export async function showLibrary(node: ReactNode, state: HistoryState = {}): Promise<void> {
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  const component = () => <LibraryProvider>{node}</LibraryProvider>;
  const history = createMemoryHistory();
  history.replace("/", state);
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  await router.load();
  await show(<RouterProvider router={router} />);
}
