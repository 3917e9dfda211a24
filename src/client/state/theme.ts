import { painted } from "#client/lib/after-first-paint.ts";
import { Signal } from "#client/lib/signal.ts";
import { stored } from "#client/lib/storage.ts";
import type { Theme } from "#shared/account.ts";
import { visitor } from "./auth.ts";
import { trpc } from "./trpc.ts";

/** What can be chosen on this device. `system`: what the system says, also when that changes. */
export type ThemeChoice = Theme | "system";

const storageKey = "theme";
const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

function storedChoice(): ThemeChoice {
  const value = stored.get(storageKey);
  return value === "dark" || value === "system" ? value : "light";
}

function themeOf(choice: ThemeChoice): Theme {
  if (choice !== "system") return choice;
  return systemIsDark.matches ? "dark" : "light";
}

export const themeChoice = new Signal<ThemeChoice>(storedChoice());

export const theme = new Signal<Theme>(themeOf(themeChoice.get()));

/** The paper of `theme.css`, for what the system draws round the page. */
const paper: Record<Theme, string> = { light: "#fbfaf7", dark: "#171412" };

function paint(): void {
  const next = themeOf(themeChoice.get());
  document.documentElement.classList.toggle("dark", next === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", paper[next]);
  theme.set(next);
}

systemIsDark.addEventListener("change", paint);

/** Shows and remembers `choice` on this device alone: a profile knows light and dark. */
export function chooseTheme(choice: ThemeChoice): void {
  stored.set(storageKey, choice);
  themeChoice.set(choice);
  paint();
}

export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  chooseTheme(next);
  if (visitor.get().kind !== "user") return;
  trpc.profiles.setTheme
    .mutate({ theme: next })
    .catch((failure: unknown) => console.warn("The theme was not stored in the profile", failure));
}

export function watchProfileTheme(): void {
  let loadedFor: string | null = null;
  const load = () => {
    const now = visitor.get();
    const id = now.kind === "user" ? now.user.id : null;
    if (id === loadedFor) return;
    loadedFor = id;
    if (!id) return;
    trpc.profiles.get
      .query()
      .then((profile) => {
        if (loadedFor === id) chooseTheme(profile.theme);
      })
      .catch((failure: unknown) => console.warn("The theme could not be loaded", failure));
  };
  const loadLater = () => void painted.then(load);
  visitor.subscribe(loadLater);
  loadLater();
}
