import type { Page } from "@playwright/test";
import { type MessageKey, messages } from "#tests/e2e/support/interface.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { expect } from "#tests/e2e/support/test.ts";

const widths = [390, 768, 1440];
/** Pages whose columns grow with the window are captured on a large screen too. */
const wideNames = /^(auth|home-filled|record-long|detail-long|recording|paused)-/;
export type Look = { language: "en" | "zh"; theme: "light" | "dark" };
/** The message of a key in the language of the screenshot. */
export type GetMessage = (key: MessageKey) => string;
/** Brings a page into a state. */
export type Prepare = (
  page: Page,
  getMessage: GetMessage,
  language: Look["language"],
) => Promise<void>;

export const looks: readonly Look[] = (["zh", "en"] as const).flatMap((language) =>
  (["dark", "light"] as const).map((theme) => ({ language, theme })),
);
/** For further states of a page that is captured in all looks. */
export const twoLooks: readonly Look[] = [
  { language: "zh", theme: "dark" },
  { language: "en", theme: "light" },
];

export const setWidth = (page: Page, width: number) =>
  page.setViewportSize({ width, height: width < 500 ? 844 : width > 1500 ? 1080 : 900 });

export async function captureEachWidth(page: Page, name: string): Promise<void> {
  for (const width of wideNames.test(name) ? [...widths, 1920] : widths) {
    await setWidth(page, width);
    await page.screenshot({ path: `screenshots/${name}-${width}.png` });
  }
}

/** Captures the page in each of `inLooks` at three widths; ends in English and light. */
export async function capture(
  page: Page,
  name: string,
  path: string,
  inLooks = looks,
  prepare: Prepare = async () => {},
): Promise<void> {
  for (const look of inLooks) {
    await open(page, path, look, prepare);
    await captureEachWidth(page, `${name}-${look.language}-${look.theme}`);
  }
}

/** The same for states that another width would close. */
export async function captureReloaded(
  page: Page,
  name: string,
  path: string,
  prepare: Prepare,
  inLooks = twoLooks,
): Promise<void> {
  for (const look of inLooks)
    for (const width of widths) {
      await setWidth(page, width);
      await open(page, path, look, prepare);
      const file = `${name}-${look.language}-${look.theme}-${width}.png`;
      await page.screenshot({ path: `screenshots/${file}` });
    }
}

/** Starts on the empty page. The prerendered one has no keys yet; the engines' names come later than they. */
export async function pressRecord(page: Page): Promise<void> {
  await expect(page.getByRole("main").locator("aside")).toBeVisible();
  await page.keyboard.press("r");
}

/** The server starts five calls a second of an account (`accountPace`), and a page makes about twelve. */
const loadIntervalMs = 2_500;
let nextLoadAt = 0;

async function open(page: Page, path: string, look: Look, prepare: Prepare): Promise<void> {
  await page.waitForTimeout(Math.max(0, nextLoadAt - Date.now()));
  nextLoadAt = (await setLook(page, look)) ? Date.now() + loadIntervalMs : 0;
  await page.goto(path);
  await expect(page.locator("main")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // Buttons whose code comes after the first paint.
  await page.waitForLoadState("networkidle");
  await prepare(page, (key) => messages[look.language][key], look.language);
}
