import type { Page } from "@playwright/test";

/** Languages of the interface. */
export type Language = "en" | "zh";

/**
 * Sets language and theme from the next load on. The theme of a user is stored in the profile.
 *
 * @returns whether the page has a user
 */
export function setLook(
  page: Page,
  look: { language: Language; theme: "light" | "dark" },
): Promise<boolean> {
  return page.evaluate(async ({ language, theme }) => {
    localStorage.setItem("interfaceLanguage", language);
    localStorage.setItem("theme", theme);
    const session = await fetch("/trpc/auth.session");
    const { user } = (await session.json()).result.data;
    if (!user) return false;
    const answer = await fetch("/trpc/profiles.setTheme", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ theme }),
    });
    if (!answer.ok) throw new Error(`The theme was refused: ${answer.status}`);
    return true;
  }, look);
}

/** By how many px the page is wider than the window. */
export const measureSidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The fields for text whose letters a phone has smaller than 16 px: iPhones enlarge the page when they get the focus. */
export async function listSmallFields(page: Page): Promise<string[]> {
  const device = await page.context().newCDPSession(page);
  await device.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const small = await page.evaluate(() => {
    if (!matchMedia("(pointer: coarse)").matches) throw new Error("This is no touch screen");
    return [...document.querySelectorAll("input, textarea, select")]
      .filter((field) => !field.matches("[type=radio], [type=checkbox], [type=file], [hidden]"))
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.getAttribute("aria-label") ?? field.outerHTML);
  });
  await device.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await device.detach();
  return small;
}
