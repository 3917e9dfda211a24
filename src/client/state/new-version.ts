import { Signal } from "#client/lib/signal.ts";
import { browserClock, onWake } from "#client/realtime/platform/clock.ts";
import { VersionWatch } from "./version-watch.ts";

/** True once the site serves another version than the one this page runs. */
export const newVersion = new Signal(false);

const versionFile = "/version.txt";

/** Null on the development server, whose pages have no version. */
const currentVersion =
  document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content ?? null;

const versionWatch =
  currentVersion === null
    ? null
    : new VersionWatch({
        clock: browserClock,
        currentVersion: currentVersion,
        async fetchVersion() {
          const answer = await fetch(versionFile, { cache: "no-store" });
          return answer.ok ? answer.text() : "";
        },
        onWake,
        onNewVersion: () => newVersion.set(true),
      });

/** Checks now which version is served. Never rejects. */
export const checkVersion = (): Promise<void> => versionWatch?.check() ?? Promise.resolve();

export function watchDeployments(): void {
  versionWatch?.start();
  window.addEventListener("vite:preloadError", () => void checkVersion());
}
