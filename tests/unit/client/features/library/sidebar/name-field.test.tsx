// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { NameField } from "#client/features/library/sidebar/name-field.tsx";
import { press, show, type } from "#tests/unit/client/kit/page.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const onDone = vi.fn<(name: string | null, back: boolean) => void>();
let field: HTMLInputElement;

const showField = (name: string) =>
  show(<NameField label="Name" name={name} maxLength={26} onDone={onDone} />);

beforeEach(async () => {
  onDone.mockClear();
  document.body.append(document.createElement("button"));
  await showField("Optics");
  const found = document.body.querySelector("input");
  if (!found) throw new Error("no field");
  field = found;
});

test("commits the trimmed name once on Enter", async () => {
  expect(document.activeElement).toBe(field);
  await type(field, "  Light ");
  await press("Enter", { isComposing: true });
  expect(onDone).not.toHaveBeenCalled();
  await press("Enter");
  await act(async () => field.blur());
  expect(onDone.mock.calls).toEqual([["Light", true]]);
});

test("commits on blur", async () => {
  await type(field, "Light");
  await act(async () => field.blur());
  expect(onDone.mock.calls).toEqual([["Light", false]]);
});

test.each([
  ["Light", "Escape"],
  ["   ", "Enter"],
  ["Optics ", "Enter"],
])("leaves the name unchanged for %j and %s", async (text, key) => {
  await type(field, text);
  await press(key);
  expect(onDone.mock.calls).toEqual([[null, true]]);
});

test("leaves a name as it is that another device changes meanwhile", async () => {
  await showField("Light");
  expect(document.body.querySelector("input")).toBe(field);
  await press("Enter");
  expect(onDone.mock.calls).toEqual([[null, true]]);
});

test("keeps editing when a closing menu takes the focus", async () => {
  await act(async () => document.querySelector("button")?.focus());
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(onDone).not.toHaveBeenCalled();
});
