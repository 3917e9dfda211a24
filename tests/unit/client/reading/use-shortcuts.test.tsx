// @vitest-environment happy-dom
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import { press, show } from "#tests/unit/client/kit/page.tsx";

const save = vi.fn();
const record = vi.fn();
beforeEach(() => void vi.clearAllMocks());

function Page() {
  useShortcuts({ "mod+s": save, r: record });
  return "Ready";
}

it("runs a key's function as soon as the page is in the document", async () => {
  // An update outside of `act`, whose effects run as late as in a browser.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  const box = document.body.appendChild(document.createElement("div"));
  const shown = new Promise<void>((resolve) => {
    new MutationObserver(() => resolve()).observe(box, { childList: true });
  });
  const root = createRoot(box);
  startTransition(() => root.render(<Page />));
  await shown;
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true }));
  expect(save).toHaveBeenCalledOnce();
  root.unmount();
});

it.each([
  ["under Caps Lock", "S", "R"],
  ["on a Cyrillic keyboard", "ы", "к"],
  ["on a Greek keyboard under Caps Lock", "Σ", "Ρ"],
])("knows its keys %s", async (_name, s, r) => {
  await show(<Page />);
  await press(s, { code: "KeyS", ctrlKey: true });
  expect(save).toHaveBeenCalledOnce();
  await press(r, { code: "KeyR" });
  expect(record).toHaveBeenCalledOnce();
});
