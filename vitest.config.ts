import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { messages } from "#build/messages.ts";

/** What has a document and the page's own global state. */
const pageTests = ["features", "i18n", "lib", "routes", "state", "ui"].map(
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
 * They make the stand-ins fail and count what is open there, or remove from the database whatever is old,
 * as by their clock much is that other tests have stored: their stack is nobody else's.
 */
const disruptiveTests = [
  "tests/worker/recording/failures.test.ts",
  "tests/worker/cron/run.test.ts",
];

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
    ...files,
    // Each file imports the worker anew: libraries of many hundred modules become one module each.
    deps: { optimizer: { ssr: { enabled: true, include: workerLibraries } } },
    testTimeout: 30_000,
  },
});

export default defineConfig({
  test: {
    // The worker logs each request: of a passed test nobody reads that.
    silent: "passed-only",
    // Much of a run is waiting for a database or a runtime to start: two at a time, also on two cores.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}", "tests/abuse/unit/**/*.test.ts"],
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
        plugins: [messages()],
        test: {
          name: "page",
          include: pageTests,
          testTimeout: 30_000,
        },
      },
      workerProject("worker", {
        include: ["tests/worker/**/*.test.ts", "tests/abuse/worker/**/*.test.ts"],
        exclude: disruptiveTests,
      }),
      workerProject("disruptive", { include: disruptiveTests }),
    ],
  },
});
