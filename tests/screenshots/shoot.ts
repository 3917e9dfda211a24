import type { Page } from "@playwright/test";
import { type MessageKey, messages } from "#tests/e2e/support/interface.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { expect } from "#tests/e2e/support/test.ts";

/** `SCREENSHOT_WIDTHS=390,1440` and `SCREENSHOT_LOOKS=zh-dark` take fewer pictures. */
const chosenWidths = process.env.SCREENSHOT_WIDTHS?.split(",").map(Number);
const chosenLooks = process.env.SCREENSHOT_LOOKS?.split(",");
const heights = new Map([
  [320, 640],
  [390, 844],
  [768, 1024],
  [1440, 900],
  [1920, 1080],
]);
export const widths = chosenWidths ?? [320, 390, 768, 1440];
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

const isChosen = ({ language, theme }: Look) =>
  chosenLooks === undefined || chosenLooks.includes(`${language}-${theme}`);

export const looks: readonly Look[] = (["zh", "en"] as const)
  .flatMap((language) => (["dark", "light"] as const).map((theme) => ({ language, theme })))
  .filter(isChosen);
/** For further states of a page that is captured in all looks. */
export const twoLooks: readonly Look[] = (
  [
    { language: "zh", theme: "dark" },
    { language: "en", theme: "light" },
  ] as const
).filter(isChosen);

/** The sizes of windows in which the prototype is drawn. */
export const setWidth = (page: Page, width: number) =>
  page.setViewportSize({ width, height: heights.get(width) ?? 900 });

export async function captureEachWidth(page: Page, name: string): Promise<void> {
  const isWide = wideNames.test(name) && chosenWidths === undefined;
  for (const width of isWide ? [...widths, 1920] : widths) {
    await setWidth(page, width);
    await page.screenshot({ path: `screenshots/${name}-${width}.png` });
  }
}

/** The tests go on in English and light. */
async function endLooks(page: Page, inLooks: readonly Look[]): Promise<void> {
  const last = inLooks.at(-1);
  if (last?.language === "en" && last.theme === "light") return;
  await open(page, page.url(), { language: "en", theme: "light" });
}

/** Captures the page in each of `inLooks` at all widths; ends in English and light. */
export async function capture(
  page: Page,
  name: string,
  path: string,
  inLooks = looks,
  prepare?: Prepare,
): Promise<void> {
  for (const look of inLooks) {
    await open(page, path, look, prepare);
    await captureEachWidth(page, `${name}-${look.language}-${look.theme}`);
  }
  await endLooks(page, inLooks);
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
  await endLooks(page, inLooks);
}

/** Starts on the empty page. The prerendered one has no keys yet; the engines' names come later than they. */
export async function pressRecord(page: Page): Promise<void> {
  await expect(page.locator("[data-introduction]")).toBeVisible();
  await expect(page.locator("#record-button")).toBeEnabled();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("r");
}

/** The server starts five calls a second of an account (`accountPace`), and a page makes about fifteen with its look. */
const loadIntervalMs = 3_200;
let nextLoadAt = 0;

/** Opens `path` in a look, not sooner than the server allows, and waits until nothing is loading. */
export async function open(page: Page, path: string, look: Look, prepare?: Prepare): Promise<void> {
  await page.waitForTimeout(Math.max(0, nextLoadAt - Date.now()));
  nextLoadAt = (await setLook(page, look)) ? Date.now() + loadIntervalMs : 0;
  await page.goto(path);
  await expect(page.locator("main")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // Buttons whose code comes after the first paint.
  await page.waitForLoadState("networkidle");
  await prepare?.(page, (key) => messages[look.language][key], look.language);
}

/** Opens the summary: a tab, or beside the text in a column that may be closed. */
export async function showSummary(page: Page, getMessage: GetMessage): Promise<void> {
  const name = getMessage("summary.title");
  const tab = page.getByRole("tab", { name, exact: true });
  const column = page.getByRole("button", { name: getMessage("reading.side"), exact: true });
  await expect(tab.or(column).first()).toBeVisible();
  if (await tab.isHidden()) await column.click();
  await tab.click();
  // With what it has, whose code comes later.
  const panel = page.getByRole("tabpanel", { name, exact: true });
  await expect(panel.locator("article, button").first()).toBeVisible();
}

/** Chooses an entry of a lecture's menu; those that work on its whole text are in a dialog of theirs. */
export async function chooseFromLectureMenu(
  page: Page,
  getMessage: GetMessage,
  entry: MessageKey,
): Promise<void> {
  const label = getMessage(entry);
  await page.getByRole("button", { name: getMessage("lecture.menu"), exact: true }).click();
  const item = page.getByRole("menuitem", { name: label, exact: true });
  const improve = page.getByRole("menuitem", { name: getMessage("lecture.improve"), exact: true });
  await expect(item.or(improve).first()).toBeVisible();
  if (await item.isVisible()) return item.click();
  await improve.click();
  await page.getByRole("dialog").getByRole("button", { name: label, exact: true }).click();
}
