import { defineConfig } from "@playwright/test";

const sound = /\.sound\.spec\.ts$/;

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/support/build.ts",
  // A journey waits as long as it works: for animations, delays and answers.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  projects: [
    // A second browser on two cores starves the first one's sound: Chromium then drops samples of
    // the fake microphone, and words are missing that were never captured. So these run alone.
    { name: "sound", testMatch: sound, workers: 1 },
    {
      name: "silent",
      testMatch: /\.spec\.ts$/,
      testIgnore: sound,
      dependencies: ["sound"],
    },
  ],
});
