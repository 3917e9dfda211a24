import { firstPaint } from "#client/lib/after-first-paint.ts";
import type { Theme } from "#shared/account.ts";
import { chooseTheme, countThemeChoices, theme } from "./theme.ts";
import { trpc } from "./trpc.ts";
import { getUserId, getVisitorId, visitor } from "./visitor.ts";

/** Switches between light and dark, also in the user's profile. */
export const toggleTheme = (): void =>
  chooseProfileTheme(theme.get() === "dark" ? "light" : "dark");

/** Shows `next`, also on the user's other devices. */
export function chooseProfileTheme(next: Theme): void {
  chooseTheme(next);
  if (getUserId() !== null) storeInProfile();
}

function storeInProfile(): void {
  trpc.profiles.setTheme
    .mutate({ theme: theme.get() })
    .catch((failure: unknown) => console.warn("The theme was not stored in the profile", failure));
}

/** Shows the theme of the profile of each user that signs in, unless the person chooses one meanwhile. */
export function syncProfileTheme(): void {
  let loadedFor: string | null = null;
  let previous = visitor.get();
  let countBefore = countThemeChoices();
  const load = () => {
    const id = getUserId();
    if (id === loadedFor) return;
    loadedFor = id;
    if (!id) return;
    const hasChosen = () => countThemeChoices() !== countBefore;
    // The choice may be older than the answer to who uses the page, and is then not in the profile.
    if (hasChosen()) return storeInProfile();
    trpc.profiles.get
      .query()
      .then((profile) => {
        if (loadedFor === id && !hasChosen()) chooseTheme(profile.theme);
      })
      .catch((failure: unknown) => console.warn("The theme could not be loaded", failure));
  };
  const loadLater = () => {
    const next = visitor.get();
    // What was chosen before a sign-in is this device's theme: the profile's replaces it.
    if (previous.kind !== "unknown" && getVisitorId(previous) !== getVisitorId(next))
      countBefore = countThemeChoices();
    previous = next;
    void firstPaint.then(load);
  };
  visitor.subscribe(loadLater);
  loadLater();
}
