// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NameField } from "#client/features/library/sidebar/name-field.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const onDone = vi.fn<(name: string | null, back: boolean) => void>();
let root: ReturnType<typeof createRoot>;
let field: HTMLInputElement;

beforeEach(async () => {
  onDone.mockClear();
  const box = document.createElement("div");
  document.body.replaceChildren(box, document.createElement("button"));
  root = createRoot(box);
  await act(async () =>
    root.render(<NameField label="Name" name="Optics" maxLength={26} onDone={onDone} />),
  );
  const found = box.querySelector("input");
  if (!found) throw new Error("no field");
  field = found;
});
afterEach(() => act(async () => root.unmount()));

const write = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
const press = (key: string, isComposing = false) =>
  act(async () => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, isComposing }));
  });

test("commits the trimmed name once on Enter", async () => {
  expect(document.activeElement).toBe(field);
  await write("  Light ");
  await press("Enter", true);
  expect(onDone).not.toHaveBeenCalled();
  await press("Enter");
  await act(async () => field.blur());
  expect(onDone.mock.calls).toEqual([["Light", true]]);
});

test("commits on blur, but not on Escape", async () => {
  await write("Light");
  await act(async () => field.blur());
  expect(onDone.mock.calls).toEqual([["Light", false]]);
});

test.each(["Light", "   ", "Optics "])("leaves the name unchanged for %j", async (text) => {
  await write(text);
  await press(text === "Light" ? "Escape" : "Enter");
  expect(onDone.mock.calls).toEqual([[null, true]]);
});

test("keeps editing when a closing menu takes the focus", async () => {
  await act(async () => document.querySelector("button")?.focus());
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(onDone).not.toHaveBeenCalled();
});
