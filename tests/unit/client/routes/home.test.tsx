// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { parseHomeSearch } from "#client/lib/home-search.ts";
import HomePage, { parts } from "#client/routes/home.tsx";
import { list } from "#tests/unit/client/kit/folders.ts";
import { settle, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

vi.mock("#client/features/shell/header.tsx", () => ({ Header: () => null }));
vi.mock("#client/features/library/home/usage.tsx", () => ({ default: () => null }));

test("leads back past the filter of a folder that was deleted", async () => {
  signIn();
  await Promise.all([
    showLanguage("en"),
    libraryMessages.load(),
    ...parts.map((part) => part.preload?.()),
  ]);
  fakeServer({
    "folders.list": () => list([]),
    "lectures.list": () => ({ items: [], nextCursor: null, total: null }),
  });
  const root = createRootRoute();
  const home = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: HomePage,
    validateSearch: parseHomeSearch,
  });
  const before = createRoute({ getParentRoute: () => root, path: "/recordings" });
  const folder = "00000000-0000-4000-8000-000000000000";
  const router = createRouter({
    routeTree: root.addChildren([home, before]),
    history: createMemoryHistory({ initialEntries: ["/recordings", `/?folder=${folder}`] }),
  });
  await router.load();
  await show(<RouterProvider router={router as never} />);
  await settle(() => expect(router.history.location.href).toBe("/"));
  await act(async () => router.history.back());
  await settle(() => expect(router.history.location.href).toBe("/recordings"));
});
