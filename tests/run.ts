import { spawn } from "node:child_process";
import { describeMissing, installedBrowsers } from "#tests/browsers/support/installed.ts";

/**
 * `npm test`: the unit tests and those inside workerd, beside the build of the end-to-end tests and those of them that run
 * in other browsers; after all, those in Chromium, whose sound needs the machine.
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

/** Builds what the end-to-end tests run, and runs those in other browsers, which wait a lot, beside the unit tests. */
async function runOtherBrowsers(): Promise<{ isBuilt: boolean; hasPassed: boolean }> {
  const isBuilt = await succeeds("node", "--import", "tsx", "tests/e2e/support/build.ts");
  const missing = describeMissing();
  if (missing !== null) console.log(missing);
  const projects = installedBrowsers().map((name) => `--project=${name}`);
  if (!isBuilt || isNightly || projects.length === 0) return { isBuilt, hasPassed: isBuilt };
  process.env.E2E_BUILD = "ready";
  const hasPassed = await succeeds("playwright", "test", "--no-deps", "--workers=2", ...projects);
  return { isBuilt, hasPassed };
}

const [units, inWorkers, others] = await Promise.all([
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
  runOtherBrowsers(),
]);
process.env.E2E_BUILD = "ready";
const journeys = isNightly
  ? ["--config", "playwright.nightly.config.ts", ...process.argv.slice(3)]
  : ["--project=sound", "--project=silent"];
const hasPassed =
  units &&
  inWorkers &&
  others.isBuilt &&
  stop === undefined &&
  (await succeeds("playwright", "test", ...journeys));
process.exitCode = hasPassed && others.hasPassed ? 0 : 1;
