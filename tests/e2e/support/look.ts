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
