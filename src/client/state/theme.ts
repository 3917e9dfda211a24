import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { Theme } from "#shared/account.ts";

/** The choices on this device. `system` follows the system's setting, also when it changes. */
export type ThemeChoice = Theme | "system";

const storageKey = "theme";
const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

function getStoredChoice(): ThemeChoice {
  const value = safeStorage.get(storageKey);
  return value === "dark" || value === "system" ? value : "light";
}

function resolveTheme(choice: ThemeChoice): Theme {
  if (choice !== "system") return choice;
  return systemIsDark.matches ? "dark" : "light";
}

export const themeChoice = new Signal<ThemeChoice>(getStoredChoice());

export const theme = new Signal<Theme>(resolveTheme(themeChoice.get()));

/** The paper colours of `colors.css`, for the browser's own bars around the page. */
const paperColors: Record<Theme, string> = { light: "#fbfaf7", dark: "#171412" };

function applyTheme(): void {
  const next = resolveTheme(themeChoice.get());
  document.documentElement.classList.toggle("dark", next === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", paperColors[next]);
  theme.set(next);
}

systemIsDark.addEventListener("change", applyTheme);

let choiceCount = 0;

/** How often a theme was chosen on this page. */
export const countThemeChoices = (): number => choiceCount;

/** Applies `choice` and stores it on this device only: a profile stores light or dark. */
export function chooseTheme(choice: ThemeChoice): void {
  choiceCount += 1;
  safeStorage.set(storageKey, choice);
  themeChoice.set(choice);
  applyTheme();
}

/** Follows the system unless a theme was chosen on this device. Stores nothing. */
export function followSystemTheme(): void {
  if (safeStorage.get(storageKey) !== null) return;
  themeChoice.set("system");
  applyTheme();
}
