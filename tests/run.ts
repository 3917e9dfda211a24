import { spawn } from "node:child_process";

/** `npm test`: the unit tests beside the build of the end-to-end tests, which come after both. */

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
  succeeds("vitest", "run"),
  succeeds("node", "--import", "tsx", "tests/e2e/support/build.ts"),
]);
process.env.E2E_BUILD = "ready";
const hasPassed =
  results.every(Boolean) && stop === undefined && (await succeeds("playwright", "test"));
process.exitCode = hasPassed ? 0 : 1;
