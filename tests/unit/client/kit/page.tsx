import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect } from "vitest";
import { setToastHandler, type ToastMessage } from "#client/lib/notifications.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

let root: Root | null = null;

/** Renders `node` inside `#root`, in place of what was there; the end of the test takes it away. */
export async function show(node: ReactNode): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  if (root === null) {
    const box = document.body.appendChild(document.createElement("div"));
    box.id = "root";
    root = createRoot(box);
  }
  const shown = root;
  await act(async () => shown.render(node));
}

/** Leaves the page before the test ends. */
export async function hide(): Promise<void> {
  const shown = root;
  root = null;
  if (shown) await act(async () => shown.unmount());
  document.body.replaceChildren();
}
afterEach(hide);

/** The toasts of the running test, oldest first, or what `pick` takes of each. */
export function collectToasts(): ToastMessage[];
export function collectToasts<T>(pick: (toast: ToastMessage) => T): T[];
export function collectToasts(pick: (toast: ToastMessage) => unknown = (toast) => toast) {
  const toasts: unknown[] = [];
  beforeEach(() => {
    toasts.length = 0;
    setToastHandler((toast) => toasts.push(pick(toast)));
  });
  return toasts;
}

/** The text of a toast, for `collectToasts`. */
export const getToastText = ({ title, description }: ToastMessage) => description ?? title;

/** A key pressed where the focus is. */
export const press = (key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
    );
  });

/** Types `text` into `field` in place of what is there. */
export const type = (field: Element | null | undefined, text: string) =>
  act(async () => {
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement))
      throw new Error("There is no field to type into");
    // React listens for changes that did not come from itself.
    const prototype = Object.getPrototypeOf(field);
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

export const nextFrame = () =>
  act(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });

/** Waits, while React renders, until `check` no longer throws. */
export const settle = (check: () => void) =>
  waitFor(async () => {
    await act(async () => {});
    check();
  });

export const waitForText = (text: string) =>
  settle(() => expect(document.body.textContent).toContain(text));

/** The elements that match `selector` and are called `name`. */
const findAll = (name: string, selector = "button") =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.trim() === name,
  );

/** The button called `name`, if it is on the page now. */
export const findButton = (name: string): HTMLElement | undefined => findAll(name)[0];

/** Waits for the element that matches `selector` and is called `name`. */
export async function find(selector: string, name: string): Promise<HTMLElement> {
  let found: HTMLElement | undefined;
  await settle(() => {
    [found] = findAll(name, selector);
    expect(found, `${selector} ${name}`).toBeDefined();
  });
  if (!found) throw new Error(`No ${selector} ${name}`);
  return found;
}

export async function click(name: string, selector = "button"): Promise<void> {
  const element = await find(selector, name);
  await act(async () => element.click());
}
