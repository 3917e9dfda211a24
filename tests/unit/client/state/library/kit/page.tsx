import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, type ReactNode } from "react";
import { expect } from "vitest";
import { setToastHandler } from "#client/lib/notifications.ts";
import { LibraryProvider } from "#client/routes/library-provider.tsx";
import { queryClient } from "#client/state/queries.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { show } from "#tests/unit/client/reading/kit.tsx";

/** Renders `node` with a router, the library's data and its dialogs. Collects the texts of toasts. */
export async function showLibrary(node: ReactNode) {
  const toasts: string[] = [];
  const stopToasts = setToastHandler(({ title, description }) => {
    toasts.push(description ?? title);
  });
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  const component = () => <LibraryProvider>{node}</LibraryProvider>;
  const router = createRouter({
    routeTree: createRootRoute({ component }),
    history: createMemoryHistory(),
  });
  await router.load();
  const hide = await show(<RouterProvider router={router} />);
  return {
    toasts,
    async hide() {
      await hide();
      stopToasts();
    },
  };
}

/** Waits, while React renders, until `check` no longer throws. */
export const settle = (check: () => void) =>
  waitFor(async () => {
    await act(async () => {});
    check();
  });

/** The elements that match `selector` and are called `name`. */
const findAll = (selector: string, name: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  );

/** Waits for the element that matches `selector` and is called `name`. */
export async function find(selector: string, name: string): Promise<HTMLElement> {
  let found: HTMLElement | undefined;
  await settle(() => {
    [found] = findAll(selector, name);
    expect(found, `${selector} ${name}`).toBeDefined();
  });
  if (!found) throw new Error(`No ${selector} ${name}`);
  return found;
}

export async function click(name: string, selector = "button"): Promise<void> {
  const element = await find(selector, name);
  await act(async () => element.click());
}

export const waitForText = (text: string) =>
  settle(() => expect(document.body.textContent).toContain(text));
