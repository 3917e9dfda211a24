// @vitest-environment happy-dom
import { act, useRef, useState } from "react";
import { beforeEach, expect, it } from "vitest";
import { overlayProps, useOverlay } from "#client/reading/use-overlay.ts";
import { press, show } from "#tests/unit/client/kit/page.tsx";

let made = 0;

function Words() {
  const [number] = useState(() => (made += 1));
  return <p>{number}</p>;
}

function Sample() {
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  useOverlay(panel, open, () => setOpen(false));
  return (
    <>
      <header>
        <button type="button">Home</button>
      </header>
      <main>
        <aside />
        <div id="panel" ref={panel} {...overlayProps(open, "Transcript")}>
          <button type="button" data-overlay-toggle onClick={() => setOpen(!open)}>
            Full screen
          </button>
          <div data-row="0" tabIndex={-1} />
          <Words />
        </div>
      </main>
    </>
  );
}

beforeEach(async () => {
  made = 0;
  await show(<Sample />);
});

const panel = () => document.querySelector("#panel");
const toggle = () => document.querySelector<HTMLElement>("[data-overlay-toggle]");
const covered = () =>
  [...document.querySelectorAll<HTMLElement>("*")]
    .filter(({ inert }) => inert)
    .map(({ localName }) => localName);

it("makes the panel a dialog, keeps its contents, and restores the page when it closes", async () => {
  document.querySelector<HTMLElement>("header button")?.focus();
  await act(async () => toggle()?.click());
  expect(panel()?.getAttribute("role")).toBe("dialog");
  expect(panel()?.getAttribute("aria-modal")).toBe("true");
  expect(document.activeElement).toBe(toggle());
  expect(covered()).toEqual(["header", "aside"]);
  await press("Escape");
  expect(panel()?.hasAttribute("role")).toBe(false);
  expect(covered()).toEqual([]);
  expect(document.activeElement).toBe(toggle());
  expect(made).toBe(1);
});

it("leaves Escape to popups above it and to a row", async () => {
  await act(async () => toggle()?.click());
  const menu = document.body.appendChild(document.createElement("div"));
  menu.setAttribute("role", "menu");
  await press("Escape");
  expect(panel()?.hasAttribute("role")).toBe(true);
  menu.remove();
  document.querySelector<HTMLElement>("[data-row]")?.focus();
  await press("Escape");
  expect(panel()?.hasAttribute("role")).toBe(true);
  toggle()?.focus();
  await press("Escape");
  expect(panel()?.hasAttribute("role")).toBe(false);
});
