import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { chromiumArgs, headlessShellPath } from "#tests/e2e/support/chromium.ts";

/** A browser whose profile is on disk, so that it can be killed and started again. */
export interface OwnProfile {
  start(): Promise<BrowserContext>;
  kill(): Promise<void>;
  /** Ends it, and deletes the profile. */
  close(): Promise<void>;
}

export async function createOwnProfile(baseURL: string): Promise<OwnProfile> {
  const directory = await mkdtemp(join(tmpdir(), "dualect-profile-"));
  let context: BrowserContext | null = null;
  const kill = async () => {
    const gone = context?.waitForEvent("close");
    for (const id of listProcesses(directory)) tryToKill(id);
    await gone;
    context = null;
  };
  return {
    kill,
    async start() {
      context = await chromium.launchPersistentContext(directory, {
        executablePath: headlessShellPath(),
        args: chromiumArgs(),
        baseURL,
        viewport: { width: 1440, height: 900 },
        serviceWorkers: "block",
      });
      return context;
    },
    async close() {
      await context?.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function tryToKill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It ended with the first of them.
  }
}

/** The processes that were started with the profile in `directory` (Linux). */
function listProcesses(directory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, "latin1").includes(`=${directory}`);
      } catch {
        return false;
      }
    });
}
