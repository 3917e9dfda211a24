import { defineConfig } from "@playwright/test";
import { installedBrowsers } from "./tests/browsers/support/installed.ts";

const sound = /\.sound\.spec\.ts$/;

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/support/build.ts",
  // They have a run of their own (`playwright.nightly.config.ts`).
  grepInvert: /@nightly/,
  // An end-to-end test spends more than half its time waiting for speech, delays and answers.
  workers: 5,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  projects: [
    // Audio tests run alone: with a second browser on two cores, Chromium drops samples of the fake
    // microphone, and words are missing that were never captured.
    { name: "sound", testMatch: sound, workers: 1 },
    { name: "silent", testIgnore: sound, dependencies: ["sound"] },
    // Browsers that Playwright starts tests for and does not drive.
    ...installedBrowsers().map((name) => ({
      name,
      testDir: "tests/browsers",
      outputDir: `.tmp/browser-results/${name}`,
      dependencies: ["sound"],
      timeout: 180_000,
      expect: { timeout: 30_000 },
    })),
  ],
});
