// @vitest-environment happy-dom
import { act, useState } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import { Select } from "#client/ui/select.tsx";
import { press, show } from "#tests/unit/client/kit/page.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const languages = ["arabic", "korean", "russian", "spanish"] as const;
const changed = vi.fn();
const shortcuts = {
  r: vi.fn(),
  s: vi.fn(),
};

function Sample() {
  const [value, setValue] = useState<(typeof languages)[number]>("korean");
  useShortcuts(shortcuts);
  return (
    <Select
      label="Language"
      value={value}
      options={languages.map((language) => ({ value: language, label: language }))}
      onChange={(next) => {
        changed(next);
        setValue(next);
      }}
    />
  );
}

// Loading it may take a busy machine longer than the test waits for what it shows.
beforeAll(() => import("#client/ui/select-popup.tsx"));

beforeEach(async () => {
  vi.clearAllMocks();
  await show(<Sample />);
});

const trigger = () => document.querySelector<HTMLElement>("[role=combobox]");

it("leaves letters to the page's shortcuts, before opening and after closing", async () => {
  trigger()?.focus();
  await press("r");
  expect(shortcuts.r).toHaveBeenCalledOnce();
  await act(async () => trigger()?.click());
  await waitFor(() => expect(document.querySelectorAll("[role=option]")).toHaveLength(4));
  await press("s");
  expect(shortcuts.s).not.toHaveBeenCalled();
  await press("Escape");
  await waitFor(() => expect(trigger()?.getAttribute("aria-expanded")).toBe("false"));
  await act(async () => trigger()?.focus());
  await press("s");
  await press("r");
  expect(changed).not.toHaveBeenCalled();
  expect(trigger()?.textContent).toBe("korean");
  expect(shortcuts.s).toHaveBeenCalledOnce();
  expect(shortcuts.r).toHaveBeenCalledTimes(2);
});
