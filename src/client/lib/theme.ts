import type { Theme } from "../../shared/account.ts";
import { visitor } from "./auth.ts";
import { signal } from "./signal.ts";
import { stored } from "./storage.ts";
import { trpc } from "./trpc.ts";

const storageKey = "theme";

export const theme = signal<Theme>(stored.get(storageKey) === "dark" ? "dark" : "light");

function show(next: Theme): void {
  stored.set(storageKey, next);
  document.documentElement.classList.toggle("dark", next === "dark");
  theme.set(next);
}

/** The other theme, here and in the profile. */
export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  show(next);
  if (visitor.get().kind !== "user") return;
  trpc.profiles.setTheme
    .mutate({ theme: next })
    .catch((failure: unknown) => console.warn("The theme was not stored in the profile", failure));
}

/** Follows the profile of whoever signs in. */
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
        if (loadedFor === id) show(profile.theme);
      })
      .catch((failure: unknown) => console.warn("The theme could not be loaded", failure));
  };
  visitor.subscribe(load);
  load();
}
