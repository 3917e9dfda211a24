// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { findNextFocus, moveFocus } from "#client/ui/lists/next-focus.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeEach(() => {
  const row = (key: string) => `<li data-row-key="${key}"><a href="#${key}">${key}</a></li>`;
  document.body.innerHTML = `<main><h1>Lectures</h1><ul>${["a", "b", "c"].map(row).join("")}</ul>
    <div role="alertdialog"><button></button></div><input></main>`;
});

const findRow = (key: string) => document.querySelector(`[data-row-key=${key}]`);
const focused = () => document.activeElement?.textContent;

test("moves the focus of a removed row to the next row, else the previous row, else the heading", async () => {
  for (const [key, expected] of [
    ["b", "c"],
    ["c", "a"],
    ["a", "Lectures"],
  ] as const) {
    const next = findNextFocus(key);
    document.querySelector("button")?.focus();
    findRow(key)?.remove();
    moveFocus(next);
    await waitFor(() => expect(focused()).toBe(expected));
  }
});

test("keeps the focus if the user has moved it elsewhere", async () => {
  const field = document.querySelector("input");
  field?.focus();
  moveFocus(findNextFocus("a"));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(document.activeElement).toBe(field);
});
