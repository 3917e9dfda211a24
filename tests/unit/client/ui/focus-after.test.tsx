// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { FocusAfterDialog } from "#client/ui/focus-after.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeEach(() => {
  document.body.innerHTML = `<button id="before"></button><button id="row"></button><input>`;
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
  await show(after ? <FocusAfterDialog value={after}>{question}</FocusAfterDialog> : question);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Yes"));
  await act(async () => meanwhile());
  await show(null);
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
