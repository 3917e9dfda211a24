// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { authMessages } from "#client/features/auth/messages/index.ts";
import { Sample } from "#client/features/auth/sample.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

const readDelays = (sentence: Element) =>
  [...sentence.children].map((part) =>
    Number.parseInt((part as HTMLElement).style.animationDelay, 10),
  );

it("shows in 5 s how sentences and their translations grow", async () => {
  await Promise.all([showLanguage("en"), authMessages.load()]);
  await show(<Sample />);
  const rows = [...document.querySelectorAll("section [lang=en]")].map((original) => ({
    original: readDelays(original),
    chinese: readDelays(original.nextElementSibling ?? original),
  }));
  // The first ones have been said.
  const growing = rows.filter(({ original }) => original.length > 0);
  expect([rows.length, growing.length]).toEqual([5, 3]);
  let end = 0;
  for (const { original, chinese } of growing) {
    // A word is said after the one before, and a translation after its sentence has begun.
    for (const delays of [original, chinese])
      expect(delays).toEqual([...delays].sort((one, other) => one - other));
    expect(original[0]).toBeGreaterThan(end);
    expect(chinese[0]).toBeGreaterThan(original[0] ?? 0);
    expect(chinese.length).toBeGreaterThan(1);
    end = original.at(-1) ?? 0;
    expect(Math.max(...original, ...chinese)).toBeLessThan(5_000);
  }
});
