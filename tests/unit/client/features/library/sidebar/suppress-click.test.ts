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

test("suppresses the click of a drop, but not the next one", () => {
  suppressClick(true);
  send("click");
  expect(clicked).not.toHaveBeenCalled();
  vi.runAllTimers();
  send("click");
  expect(clicked).toHaveBeenCalledOnce();
});

test("suppresses the click after a cancelled drag", () => {
  suppressClick(false);
  vi.runAllTimers();
  send("pointerup");
  send("click");
  expect(clicked).not.toHaveBeenCalled();
  vi.runAllTimers();
  send("click");
  expect(clicked).toHaveBeenCalledOnce();
});

test("allows the next click after the browser has taken over the pointer", () => {
  suppressClick(false);
  for (const type of ["pointerdown", "pointerup", "click"]) send(type);
  expect(clicked).toHaveBeenCalledOnce();
});
