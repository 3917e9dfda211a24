// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { suppressClick } from "#client/features/library/sidebar/suppress-click.ts";

const clicked = vi.fn();
const button = document.createElement("button");
button.addEventListener("click", clicked);
const send = (type: string) => button.dispatchEvent(new MouseEvent(type, { bubbles: true }));

beforeEach(() => {
  clicked.mockClear();
  vi.useFakeTimers();
  document.body.append(button);
});

test("the click of a drag that was let go does nothing, the next one does", () => {
  suppressClick(true);
  send("click");
  expect(clicked).not.toHaveBeenCalled();
  vi.runAllTimers();
  send("click");
  expect(clicked).toHaveBeenCalledOnce();
});

test("a drag that is called off still ends in a click that does nothing", () => {
  suppressClick(false);
  vi.runAllTimers();
  send("pointerup");
  send("click");
  expect(clicked).not.toHaveBeenCalled();
  vi.runAllTimers();
  send("click");
  expect(clicked).toHaveBeenCalledOnce();
});

test("where the browser took the pointer, the next press is a click like any other", () => {
  suppressClick(false);
  for (const type of ["pointerdown", "pointerup", "click"]) send(type);
  expect(clicked).toHaveBeenCalledOnce();
});
