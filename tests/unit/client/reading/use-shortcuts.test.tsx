// @vitest-environment happy-dom
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";

const save = vi.fn();

function Page() {
  useShortcuts({ "mod+s": save });
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
