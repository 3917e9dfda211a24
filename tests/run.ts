import { spawn } from "node:child_process";
import { describeMissing, installedBrowsers } from "#tests/browsers/support/installed.ts";

/**
 * `npm test`: the unit tests and those inside workerd, beside the build of the end-to-end tests; then these, in Firefox,
 * in WebKit and in Chromium.
 * With `nightly`: all runs of properties, and the end-to-end tests that are tagged so, with Playwright's options.
 */
const isNightly = process.argv[2] === "nightly";
if (isNightly) process.env.PROPERTY_RUNS ||= "1";

let stop: NodeJS.Signals | undefined;
const running = new Set<ReturnType<typeof spawn>>();
// Ctrl-C reaches the children too. They end by themselves, and this process after them.
process.on("SIGINT", (signal) => {
  stop = signal;
});
process.on("SIGTERM", (signal) => {
  stop = signal;
  for (const child of running) child.kill(signal);
});

/** Runs `command`; resolves whether it succeeded. */
const succeeds = (command: string, ...options: string[]) =>
  new Promise<boolean>((resolve, reject) => {
    const child = spawn(command, options, { stdio: "inherit" });
    running.add(child);
    child.once("error", reject);
    child.once("close", (code) => {
      running.delete(child);
      if (code !== 0) console.error(`Failed: ${[command, ...options].join(" ")}`);
      resolve(code === 0);
    });
  });

const results = await Promise.all([
  succeeds("vitest", "run", "--maxWorkers=2", "--project=unit", "--project=page"),
  // In a process of its own: the services that these tests share run on its thread. They wait a lot, and the others do not.
  succeeds(
    "vitest",
    "run",
    "--maxWorkers=2",
    "--project=worker",
    "--project=disruptive",
    "--project=alerts",
  ),
  succeeds("node", "--import", "tsx", "tests/e2e/support/build.ts"),
]);
process.env.E2E_BUILD = "ready";

/** One that fails does not keep the next from being run. */
async function runJourneys(): Promise<boolean> {
  if (isNightly)
    return succeeds(
      "playwright",
      "test",
      "--config",
      "playwright.nightly.config.ts",
      ...process.argv.slice(3),
    );
  const missing = describeMissing();
  if (missing !== null) console.log(missing);
  const projects = installedBrowsers().map((name) => `--project=${name}`);
  // Two at a time: a browser with a recording needs about half of two cores.
  const inOthers =
    projects.length === 0 ||
    (await succeeds("playwright", "test", "--no-deps", "--workers=2", ...projects));
  if (stop !== undefined) return false;
  const inChromium = await succeeds("playwright", "test", "--project=sound", "--project=silent");
  return inOthers && inChromium;
}

const hasPassed = results.every(Boolean) && stop === undefined && (await runJourneys());
process.exitCode = hasPassed ? 0 : 1;
