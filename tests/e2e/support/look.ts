import type { Page } from "@playwright/test";

/** Sets language and theme from the next load on, without motion. The theme of a user is stored in the profile. */
export async function setLook(
  page: Page,
  look: { language: "en" | "zh"; theme: "light" | "dark" },
): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(async ({ language, theme }) => {
    localStorage.setItem("interfaceLanguage", language);
    localStorage.setItem("theme", theme);
    const session = await fetch("/trpc/auth.session");
    const { user } = (await session.json()).result.data;
    if (!user) return;
    const answer = await fetch("/trpc/profiles.setTheme", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ theme }),
    });
    if (!answer.ok) throw new Error(`The theme was refused: ${answer.status}`);
  }, look);
}
