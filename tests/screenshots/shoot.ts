import type { Page } from "@playwright/test";
import { type MessageKey, messages } from "#tests/e2e/support/interface.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { expect } from "#tests/e2e/support/test.ts";

const widths = [390, 768, 1440];
export type Look = { language: "en" | "zh"; theme: "light" | "dark" };
/** What the interface says for a key, in the language that is being shot. */
export type Words = (key: MessageKey) => string;
/** Brings a page into the state that is wanted. */
export type Bring = (page: Page, words: Words, language: Look["language"]) => Promise<void>;

export const looks: readonly Look[] = (["zh", "en"] as const).flatMap((language) =>
  (["dark", "light"] as const).map((theme) => ({ language, theme })),
);
/** Enough for a state of a page whose looks were all seen. */
export const twoLooks: readonly Look[] = [
  { language: "zh", theme: "dark" },
  { language: "en", theme: "light" },
];

export const setWidth = (page: Page, width: number) =>
  page.setViewportSize({ width, height: width < 500 ? 844 : 900 });

export async function atEachWidth(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await setWidth(page, width);
    await page.screenshot({ path: `screenshots/${name}-${width}.png` });
  }
}

/** The page in each of `inLooks` and at three widths; English and light at the end. */
export async function shoot(
  page: Page,
  name: string,
  path: string,
  inLooks = looks,
  bring: Bring = async () => {},
): Promise<void> {
  for (const look of inLooks) {
    await open(page, path, look, bring);
    await atEachWidth(page, `${name}-${look.language}-${look.theme}`);
  }
}

/** The same for what another width would put away. */
export async function shootAnew(
  page: Page,
  name: string,
  path: string,
  bring: Bring,
): Promise<void> {
  for (const look of twoLooks)
    for (const width of widths) {
      await setWidth(page, width);
      await open(page, path, look, bring);
      const file = `${name}-${look.language}-${look.theme}-${width}.png`;
      await page.screenshot({ path: `screenshots/${file}` });
    }
}

async function open(page: Page, path: string, look: Look, bring: Bring): Promise<void> {
  await setLook(page, look);
  await page.goto(path);
  await expect(page.locator("main")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await bring(page, (key) => messages[look.language][key], look.language);
}
