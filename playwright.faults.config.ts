import { defineConfig } from "@playwright/test";

/**
 * `npm run test:faults`: each fault with each engine and codec that it can meet. `OUTAGES`, `LONG` and `WRITE`: see
 * docs/reliability.md.
 */
export default defineConfig({
  testDir: "tests/faults",
  outputDir: ".tmp/fault-results",
  globalSetup: "./tests/e2e/support/build.ts",
  ...(process.env.LONG ? { grep: /@long/ } : { grepInvert: /@long/ }),
  // A recording waits most of its time for speech. Its microphone is in the page and loses nothing on a busy machine.
  workers: Number(process.env.WORKERS ?? 4),
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  // On a busy machine a page is slow, which is none of the faults.
  expect: { timeout: 120_000 },
  reporter: [["list"], ["./tests/faults/reporter.ts"]],
});
