import { defineConfig } from "@playwright/test";

/** `npm run screenshots`: takes pictures of every page for manual review, in `screenshots/`. */
export default defineConfig({
  testDir: "tests/screenshots",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/support/build.ts",
  workers: 1,
  timeout: 600_000,
  reporter: [["list"]],
});
