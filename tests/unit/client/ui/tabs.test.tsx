// @vitest-environment happy-dom
import { act, useState } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Tabs } from "#client/ui/tabs.tsx";

const names = ["one", "two", "three"] as const;

function Sample() {
  const [value, setValue] = useState<(typeof names)[number]>("one");
  return (
    <Tabs
      label="Sample"
      value={value}
      onChange={setValue}
      tabs={names.map((name) => ({ value: name, label: name, panel: `panel ${name}` }))}
    />
  );
}

let root: ReturnType<typeof createRoot>;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
  await act(async () => root.render(<Sample />));
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const tabs = () => [...document.querySelectorAll<HTMLElement>("[role=tab]")];
const panel = () => document.querySelector("[role=tabpanel]");
const press = (key: string) =>
  act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });

describe("tabs", () => {
  it("show the chosen tab's panel, labelled by its tab", async () => {
    await act(async () => tabs()[1]?.click());
    expect(panel()?.textContent).toBe("panel two");
    expect(panel()?.getAttribute("aria-labelledby")).toBe(tabs()[1]?.id);
    expect(tabs().map((tab) => tab.getAttribute("aria-selected"))).toEqual([
      "false",
      "true",
      "false",
    ]);
  });

  it("are one tab stop, and the arrow keys wrap around", async () => {
    tabs()[0]?.focus();
    await press("ArrowLeft");
    expect(panel()?.textContent).toBe("panel three");
    expect(document.activeElement).toBe(tabs()[2]);
    expect(tabs().map((tab) => tab.tabIndex)).toEqual([-1, -1, 0]);
    await press("ArrowRight");
    expect(document.activeElement).toBe(tabs()[0]);
    await press("End");
    expect(panel()?.textContent).toBe("panel three");
    await press("Home");
    expect(panel()?.textContent).toBe("panel one");
  });
});
