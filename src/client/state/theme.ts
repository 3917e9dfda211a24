import { firstPaint } from "#client/lib/after-first-paint.ts";
import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { Theme } from "#shared/account.ts";
import { getUserId, visitor } from "./auth.ts";
import { trpc } from "./trpc.ts";

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

/** The paper colours of `theme.css`, for the browser's own bars around the page. */
const paperColors: Record<Theme, string> = { light: "#fbfaf7", dark: "#171412" };

function applyTheme(): void {
  const next = resolveTheme(themeChoice.get());
  document.documentElement.classList.toggle("dark", next === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", paperColors[next]);
  theme.set(next);
}

systemIsDark.addEventListener("change", applyTheme);

/** Counts choices: a profile that was requested before the person's own choice does not replace it. */
let choiceCount = 0;

/** Applies `choice` and stores it on this device only: a profile stores light or dark. */
export function chooseTheme(choice: ThemeChoice): void {
  choiceCount += 1;
  safeStorage.set(storageKey, choice);
  themeChoice.set(choice);
  applyTheme();
}

export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  chooseTheme(next);
  if (getUserId() === null) return;
  trpc.profiles.setTheme
    .mutate({ theme: next })
    .catch((failure: unknown) => console.warn("The theme was not stored in the profile", failure));
}

export function syncProfileTheme(): void {
  let loadedFor: string | null = null;
  const load = () => {
    const id = getUserId();
    if (id === loadedFor) return;
    loadedFor = id;
    if (!id) return;
    const countBefore = choiceCount;
    trpc.profiles.get
      .query()
      .then((profile) => {
        if (loadedFor === id && choiceCount === countBefore) chooseTheme(profile.theme);
      })
      .catch((failure: unknown) => console.warn("The theme could not be loaded", failure));
  };
  const loadLater = () => void firstPaint.then(load);
  visitor.subscribe(loadLater);
  loadLater();
}
