import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const installed = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** @throws when there is no Chromium, with the command that installs one. */
export function chromiumPath(): string {
  const candidates = [process.env.CHROMIUM_PATH, ...installed, chromium.executablePath()];
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return found;
  throw new Error(
    "No Chromium for the browser tests. Install one with `npx playwright install chromium` " +
      "(or `apt-get install chromium`), or name it in CHROMIUM_PATH.",
  );
}

/** Chromium without a window system: the same engine, for about two thirds of the CPU. */
export function headlessShellPath(): string {
  const shell = "/usr/bin/chromium-headless-shell";
  return !process.env.CHROMIUM_PATH && existsSync(shell) ? shell : chromiumPath();
}

/** No background requests; a fake microphone that needs no permission. */
export function chromiumArgs(microphone: { wav: string } | "none" = "none"): string[] {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
  ];
  if (microphone === "none") return args;
  return [
    ...args,
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-audio-capture=${microphone.wav}%noloop`,
  ];
}
