// @vitest-environment happy-dom
import { act, useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { Tabs } from "#client/ui/tabs.tsx";
import { press, show } from "#tests/unit/client/kit/page.tsx";

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

beforeEach(async () => {
  await show(<Sample />);
});

const tabs = () => [...document.querySelectorAll<HTMLElement>("[role=tab]")];
const panel = () => document.querySelector("[role=tabpanel]");

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
