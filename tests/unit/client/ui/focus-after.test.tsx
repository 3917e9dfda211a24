// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { FocusAfterDialog } from "#client/ui/focus-after.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: ReturnType<typeof createRoot>;
beforeEach(() => {
  document.body.innerHTML = `<button id="before"></button><button id="row"></button><input><div></div>`;
  root = createRoot(document.querySelector("div") ?? document.body);
});
afterEach(async () => {
  await act(async () => root.unmount());
});

const find = (what: string) => document.querySelector<HTMLElement>(what);
const focused = () => document.activeElement?.id || document.activeElement?.localName;

/** Opens a question, does `meanwhile`, and closes it; where `after` is given, that has the focus then. */
async function ask(meanwhile: () => void, after?: () => HTMLElement | null) {
  find("#before")?.focus();
  const question = (
    <AlertDialog open onClose={() => {}} title="Sure?" text="">
      <button type="button">Yes</button>
    </AlertDialog>
  );
  await act(async () =>
    root.render(after ? <FocusAfterDialog value={after}>{question}</FocusAfterDialog> : question),
  );
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Yes"));
  await act(async () => {
    meanwhile();
    root.render(null);
  });
}

test("returns the focus to the element that had it before", async () => {
  await ask(() => {});
  await waitFor(() => expect(focused()).toBe("before"));
});

test("focuses the element that replaced it", async () => {
  await ask(
    () => find("#before")?.remove(),
    () => find("#row"),
  );
  await waitFor(() => expect(focused()).toBe("row"));
});

test("focuses nothing when the target is gone, and not an earlier element", async () => {
  await ask(
    () => {},
    () => null,
  );
  expect(focused()).toBe("body");
});

test("leaves the focus to an element that took it meanwhile", async () => {
  await ask(() => find("input")?.focus());
  expect(focused()).toBe("input");
});
