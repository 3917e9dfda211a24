import { defineConfig } from "@playwright/test";

const sound = /\.sound\.spec\.ts$/;
const commands = /commands\.spec\.ts$/;

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/support/build.ts",
  // An end-to-end test spends about half its time waiting for animations, delays and answers.
  workers: 4,
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
    // Starts before the silent tests: after them its longest test would run alone.
    { name: "commands", testMatch: commands, dependencies: ["sound"] },
    {
      name: "silent",
      testMatch: /\.spec\.ts$/,
      testIgnore: [sound, commands],
      dependencies: ["sound"],
    },
  ],
});
