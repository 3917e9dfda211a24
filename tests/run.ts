import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { describeMissing, installedBrowsers } from "#tests/browsers/support/installed.ts";

/**
 * `npm test`: the unit tests and those inside workerd, beside the build of the end-to-end tests and those with sound; then
 * the others of these, in Firefox, in WebKit and in Chromium.
 * With `nightly`: all runs of properties, and the end-to-end tests that are tagged so, with Playwright's options.
 */
const isNightly = process.argv[2] === "nightly";
if (isNightly) process.env.PROPERTY_RUNS ||= "1";
// The children write into pipes.
if (process.stdout.isTTY) process.env.FORCE_COLOR ||= "1";

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

/** Characters of a failed command's output that are printed again: commands run side by side, and theirs is mixed. */
const repeatedChars = 20_000;
const failures: string[] = [];

/** Runs `command` with what the others leave of the cores if it yields; resolves whether it succeeded. */
const run = (command: string, options: string[], { yields = false } = {}) =>
  new Promise<boolean>((resolve, reject) => {
    const child = spawn(command, options, { stdio: ["inherit", "pipe", "pipe"] });
    if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    running.add(child);
    let output = "";
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.setEncoding("utf8").on("data", (text: string) => {
        to.write(text);
        output = (output + text).slice(-repeatedChars);
      });
    }
    child.once("error", reject);
    child.once("close", (code, signal) => {
      running.delete(child);
      if (code !== 0)
        failures.push(`${output}\nFailed (${signal ?? code}): ${[command, ...options].join(" ")}`);
      resolve(code === 0);
    });
  });

const succeeds = (command: string, ...options: string[]) => run(command, options);

const vitest = (...projects: string[]) =>
  run("vitest", ["run", "--maxWorkers=2", ...projects.map((name) => `--project=${name}`)], {
    yields: true,
  });

/** A recording in real time leaves most of two cores idle, and misses sound where it waits for one. */
async function buildAndRecord(): Promise<boolean> {
  const isBuilt = await succeeds("node", "--import", "tsx", "tests/e2e/support/build.ts");
  process.env.E2E_BUILD = "ready";
  if (!isBuilt || isNightly || stop !== undefined) return isBuilt;
  return succeeds("playwright", "test", "--project=sound");
}

const results = await Promise.all([
  vitest("unit", "page"),
  // In a process of its own: the services that these tests share run on its thread. They wait a lot, and the others do not.
  vitest("worker", "disruptive", "alerts"),
  buildAndRecord(),
]);

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
  const inChromium = await succeeds("playwright", "test", "--no-deps", "--project=silent");
  return inOthers && inChromium;
}

const hasPassed = results.every(Boolean) && stop === undefined && (await runJourneys());
process.exitCode = hasPassed ? 0 : 1;
for (const failure of failures) console.log(`\nOnce more, what failed:\n${failure}`);
