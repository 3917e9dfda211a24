import { Signal } from "#client/lib/observable.ts";
import { onWake } from "./clock.ts";

/** Interval of the regular checks. */
const checkIntervalMs = 30 * 60_000;
/** Minimum time between two checks caused by returning to the page. */
const minCheckIntervalMs = 60_000;

/** The form of a version's name: any other text, such as an error page, is ignored. */
const versionPattern = /^[\w-]{8,64}$/;

/** True once the site serves another version than the one this page runs. */
export const newVersion = new Signal(false);

/** Undefined on the development server, whose pages have no version. */
const currentVersion = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content;

let checkedAt = Number.NEGATIVE_INFINITY;
let checking: Promise<void> | null = null;

/** Checks now which version is served, or joins the check in flight. Never rejects. */
export async function checkVersion(): Promise<void> {
  if (currentVersion === undefined || newVersion.get()) return;
  checking ??= fetchAndCompare().finally(() => {
    checking = null;
  });
  return checking;
}

async function fetchAndCompare(): Promise<void> {
  checkedAt = Date.now();
  try {
    const response = await fetch("/version.txt", { cache: "no-store" });
    const version = (await response.text()).trim();
    if (response.ok && versionPattern.test(version) && version !== currentVersion)
      newVersion.set(true);
  } catch {
    // Offline: a later check will find it.
  }
}

export function watchDeployments(): void {
  onWake(() => {
    if (Date.now() - checkedAt >= minCheckIntervalMs) void checkVersion();
  });
  setInterval(checkVersion, checkIntervalMs);
  window.addEventListener("vite:preloadError", () => void checkVersion());
}
