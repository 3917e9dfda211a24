import type { Clock } from "#client/realtime/platform/ports.ts";

/** While somebody looks at the page. */
const checkIntervalMs = 30 * 60_000;
/** Whoever returns to the page is told soon, and whoever goes to and fro asks once. */
const minCheckIntervalMs = 60_000;

/** What a version is called: anything else, such as a page of errors, names none. */
const versionPattern = /^[\w-]{8,64}$/;

interface VersionPorts {
  clock: Clock;
  currentVersion: string;
  /** The text that names the version which the site serves now. May reject. */
  fetchVersion(): Promise<string>;
  onWake(listener: () => void): void;
  /** Told once: the site serves another version than this page's. */
  onNewVersion(): void;
}

export class VersionWatch {
  readonly #ports: VersionPorts;
  #newer = false;
  #askedAt: number | null = null;
  #asking: Promise<void> | null = null;

  constructor(ports: VersionPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#ports.onWake(() => {
      const { clock } = this.#ports;
      if (this.#askedAt === null || clock.now() - this.#askedAt >= minCheckIntervalMs)
        void this.check();
    });
    this.#later();
  }

  /** Asks now, or joins the question that is under way. Never rejects. */
  check(): Promise<void> {
    if (this.#newer) return Promise.resolve();
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { clock, currentVersion, fetchVersion, onNewVersion } = this.#ports;
    this.#askedAt = clock.now();
    try {
      const version = (await fetchVersion()).trim();
      if (!versionPattern.test(version) || version === currentVersion || this.#newer) return;
      this.#newer = true;
      onNewVersion();
    } catch {
      // Whoever is offline learns it later.
    }
  }

  #later(): void {
    this.#ports.clock.after(checkIntervalMs, () => {
      void this.check();
      if (!this.#newer) this.#later();
    });
  }
}
