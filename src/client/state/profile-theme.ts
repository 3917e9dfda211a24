import { firstPaint } from "#client/lib/after-first-paint.ts";
import { getUserId, visitor } from "./auth.ts";
import { chooseTheme, countThemeChoices, theme } from "./theme.ts";
import { trpc } from "./trpc.ts";

/** Switches between light and dark, also in the user's profile. */
export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  chooseTheme(next);
  if (getUserId() === null) return;
  trpc.profiles.setTheme
    .mutate({ theme: next })
    .catch((failure: unknown) => console.warn("The theme was not stored in the profile", failure));
}

/** Shows the theme of the profile of each user that signs in. */
export function syncProfileTheme(): void {
  let loadedFor: string | null = null;
  const load = () => {
    const id = getUserId();
    if (id === loadedFor) return;
    loadedFor = id;
    if (!id) return;
    // A profile that was requested before the person's own choice does not replace it.
    const countBefore = countThemeChoices();
    trpc.profiles.get
      .query()
      .then((profile) => {
        if (loadedFor === id && countThemeChoices() === countBefore) chooseTheme(profile.theme);
      })
      .catch((failure: unknown) => console.warn("The theme could not be loaded", failure));
  };
  const loadLater = () => void firstPaint.then(load);
  visitor.subscribe(loadLater);
  loadLater();
}
