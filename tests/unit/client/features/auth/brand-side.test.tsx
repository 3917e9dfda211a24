// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { BrandSide } from "#client/features/auth/brand-side.tsx";
import { authMessages, t } from "#client/features/auth/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

const readDelays = (sentence: Element) =>
  [...sentence.children].map((part) =>
    Number.parseInt((part as HTMLElement).style.animationDelay, 10),
  );

it("shows in 5 s how sentences and their translations grow", async () => {
  await Promise.all([showLanguage("en"), authMessages.load()]);
  await show(<BrandSide />);
  const example = document.querySelector('[role="img"]');
  const pairs = ([1, 2, 3] as const).map((number) => ({
    original: t(`auth.example.${number}.en`),
    chinese: t(`auth.example.${number}.zh`),
  }));
  expect([...(example?.children ?? [])].map((row) => row.textContent)).toEqual(
    pairs.map(({ original, chinese }) => original + chinese),
  );
  let end = 0;
  for (const row of example?.children ?? []) {
    const [original = [], chinese = []] = [...row.children].map(readDelays);
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
