import { Signal } from "#client/lib/signal.ts";
import { browserClock, onWake } from "#client/realtime/platform/clock.ts";
import { VersionWatch } from "./version-watch.ts";

/** True once the site serves another version of the program than the one this page runs. */
export const newVersion = new Signal(false);

const versionFile = "/version.txt";

/** Only what was built has a version. */
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

/** Asks which version is served, where that is worth knowing at once. Never rejects. */
export const checkVersion = (): Promise<void> => versionWatch?.check() ?? Promise.resolve();

export function watchDeployments(): void {
  versionWatch?.start();
  window.addEventListener("vite:preloadError", () => void checkVersion());
}
