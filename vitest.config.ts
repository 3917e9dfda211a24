import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { dictionaryParts } from "./build/dictionaries.ts";

/** What has a document and the page's own global state. */
const pageTests = ["features", "i18n", "lib", "mock", "ui"].map(
  (room) => `tests/unit/client/${room}/**/*.test.{ts,tsx}`,
);

export default defineConfig({
  test: {
    // The worker logs each request: of a passed test nobody reads that.
    silent: "passed-only",
    // Much of a run is waiting for a database or a runtime to start: two at a time, also on two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          exclude: pageTests,
          // These share nothing that a file could leave behind; loading the server's libraries anew for
          // each file took longer than the tests.
          isolate: false,
          testTimeout: 30_000,
          // An embedded Postgres is started there, on a machine that may be busy.
          hookTimeout: 30_000,
        },
      },
      {
        plugins: [dictionaryParts()],
        test: {
          name: "page",
          include: pageTests,
          testTimeout: 30_000,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            main: "./src/worker/index.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: { bindings: inject("workerVars") },
          })),
        ],
        test: {
          name: "worker",
          globalSetup: ["tests/worker/global-setup.ts"],
          include: ["tests/worker/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
