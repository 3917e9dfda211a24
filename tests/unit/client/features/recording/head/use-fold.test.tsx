// @vitest-environment happy-dom
import { act, useRef } from "react";
import { expect, it, vi } from "vitest";
import { show } from "#tests/unit/client/kit/page.tsx";

// A small window, from the first on.
vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: true }));
const { getFold, useFold } = await import("#client/features/recording/head/use-fold.ts");

it.each([
  ["leaves when one reads on", false, 100, 106, true],
  ["stays for less", false, 100, 105, false],
  ["comes back when one scrolls back", true, 300, 294, false],
  ["stays away for less", true, 300, 295, true],
  ["is there at the beginning", true, 60, 40, false],
  ["is there at the beginning, also when one begins to read", false, 0, 40, false],
] as const)("the head %s", (_, isFolded, last, top, expected) => {
  expect(getFold(isFolded, last, top)).toBe(expected);
});

function Screen() {
  const page = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const isFolded = useFold(page, head, true);
  return (
    <div>
      <div ref={head} data-folded={isFolded} />
      <div ref={page} />
    </div>
  );
}

it("the head leaves where a person scrolls, and stays where the page scrolls by itself", async () => {
  await show(<Screen />);
  const head = document.querySelector("[data-folded]");
  const page = head?.nextElementSibling;
  const isFolded = () => head?.getAttribute("data-folded") === "true";
  const scrollTo = (top: number) =>
    act(async () => {
      if (page) page.scrollTop = top;
      page?.dispatchEvent(new Event("scroll"));
    });
  await scrollTo(400);
  expect(isFolded()).toBe(false);
  await act(async () => page?.dispatchEvent(new Event("wheel")));
  await scrollTo(420);
  expect(isFolded()).toBe(true);
});
