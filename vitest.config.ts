import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { messages } from "#build/messages.ts";
import { StallReporter } from "#tests/stall-reporter.ts";

/** Tests of code that needs a document or the global state of a tab. */
const pageTests = ["features", "i18n", "lib", "reading", "routes", "state", "ui"].map(
  (folder) => `tests/unit/client/${folder}/**/*.test.{ts,tsx}`,
);

const workerLibraries = [
  "@lucia-auth/adapter-drizzle",
  "@neondatabase/serverless",
  "@trpc/server",
  "@trpc/server/adapters/fetch",
  "@trpc/server/http",
  "@trpc/server/rpc",
  "drizzle-orm",
  "drizzle-orm/batch",
  "drizzle-orm/neon-http",
  "drizzle-orm/pg-core",
  "hono",
  "hono/body-limit",
  "hono/factory",
  "hono/secure-headers",
  "lucia",
  "openai",
  "resend",
  "stripe",
  "zod",
  "zod/mini",
];

/**
 * Tests that need an embedded stack of their own: they inject failures into the stand-ins, count open
 * connections there, or delete old database rows (with a clock that makes other tests' rows look old).
 */
const disruptiveTests = [
  "tests/worker/recording/failures.test.ts",
  "tests/worker/cron/run.test.ts",
];
/** The same. Files of a project run at the same time, and these failures must not meet those of `failures.test.ts`. */
const alertTests = ["tests/worker/operation/alerts.test.ts"];

/** Tests inside workerd, with an embedded stack of their own. */
const workerProject = (name: string, files: { include: string[]; exclude?: string[] }) => ({
  plugins: [
    cloudflareTest(({ inject }) => ({
      main: "./src/worker/index.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: { bindings: inject("workerVars") },
    })),
  ],
  test: {
    name,
    globalSetup: ["tests/worker/global-setup.ts"],
    setupFiles: ["tests/worker/setup.ts"],
    // workerd does not have this process's environment.
    env: { PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? "" },
    ...files,
    // Starting workerd and importing the worker took longer than most files' tests. Each test creates its own
    // users, lectures and addresses, so files may share an isolate.
    isolate: false,
    // Libraries of many hundred modules are bundled into one.
    deps: { optimizer: { ssr: { enabled: true, include: workerLibraries } } },
    // Some wait up to half of it for the next minute, in which limits count anew.
    testTimeout: 60_000,
    // A room's writes reach the database within a second only on a machine that does nothing else.
    expect: { poll: { timeout: 10_000 } },
  },
});

export default defineConfig({
  test: {
    // The worker logs each request; for passed tests nobody needs these logs.
    silent: "passed-only",
    reporters: ["default", new StallReporter()],
    // Tests wait a lot for databases and runtimes to start, so more workers than cores are faster.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}", "tests/abuse/unit/**/*.test.ts"],
          exclude: pageTests,
          // These tests share no global state, and loading the server's libraries again for each file took
          // longer than the tests.
          isolate: false,
          testTimeout: 30_000,
          // Hooks start an embedded Postgres, which is slow on a busy machine.
          hookTimeout: 30_000,
        },
      },
      {
        plugins: [messages()],
        test: {
          name: "page",
          include: pageTests,
          // Each file has global objects of its own, but not a process: starting one and importing happy-dom and React
          // took longer than most files' tests. With `--maxWorkers=1`, Vitest runs all of them in one context instead, and
          // the mocks of the second file have no effect.
          pool: "vmForks",
          // The environment's end waits for timers that begin while it stops the others. Those that free the memory of
          // queries (30 min) sometimes did, and the run never ended.
          environmentOptions: { happyDOM: { settings: { timer: { maxTimeout: 20_000 } } } },
          testTimeout: 30_000,
        },
      },
      workerProject("worker", {
        include: ["tests/worker/**/*.test.ts", "tests/abuse/worker/**/*.test.ts"],
        exclude: [...disruptiveTests, ...alertTests],
      }),
      workerProject("disruptive", { include: disruptiveTests }),
      workerProject("alerts", { include: alertTests }),
    ],
  },
});
