// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { isPopupOpen } from "#client/reading/use-overlay.ts";

test.each<[string, boolean]>([
  ["", false],
  ['<div data-open><div role="listbox"></div></div>', true],
  ['<div data-closed><div role="listbox"></div></div>', false],
  ['<div role="alertdialog"></div>', true],
  ['<div role="dialog" data-overlay></div>', false],
])("with %j on the page, keys belong to a popup: %s", (html, open) => {
  document.body.innerHTML = html;
  expect(isPopupOpen()).toBe(open);
});
