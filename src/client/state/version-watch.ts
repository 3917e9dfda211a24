import type { Clock } from "#client/realtime/platform/ports.ts";

/** Interval of the regular checks. */
const checkIntervalMs = 30 * 60_000;
/** Minimum time between two checks caused by returning to the page. */
const minCheckIntervalMs = 60_000;

/** The form of a version's name: any other text, such as an error page, is ignored. */
const versionPattern = /^[\w-]{8,64}$/;

interface VersionPorts {
  clock: Clock;
  currentVersion: string;
  /** The name of the version that the site serves now. May reject. */
  fetchVersion(): Promise<string>;
  onWake(listener: () => void): void;
  /** Called once, when the site serves another version than this page's. */
  onNewVersion(): void;
}

export class VersionWatch {
  readonly #ports: VersionPorts;
  #hasNewVersion = false;
  #checkedAt: number | null = null;
  #checking: Promise<void> | null = null;

  constructor(ports: VersionPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#ports.onWake(() => {
      const { clock } = this.#ports;
      if (this.#checkedAt === null || clock.now() - this.#checkedAt >= minCheckIntervalMs)
        void this.check();
    });
    this.#scheduleCheck();
  }

  /** Checks now, or joins the check in flight. Never rejects. */
  check(): Promise<void> {
    if (this.#hasNewVersion) return Promise.resolve();
    this.#checking ??= this.#fetchAndCompare().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #fetchAndCompare(): Promise<void> {
    const { clock, currentVersion, fetchVersion, onNewVersion } = this.#ports;
    this.#checkedAt = clock.now();
    try {
      const version = (await fetchVersion()).trim();
      if (!versionPattern.test(version) || version === currentVersion || this.#hasNewVersion)
        return;
      this.#hasNewVersion = true;
      onNewVersion();
    } catch {
      // Offline: a later check will find it.
    }
  }

  #scheduleCheck(): void {
    this.#ports.clock.after(checkIntervalMs, () => {
      void this.check();
      if (!this.#hasNewVersion) this.#scheduleCheck();
    });
  }
}
