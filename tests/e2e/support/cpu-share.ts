import { writeFileSync } from "node:fs";
import type { Browser } from "@playwright/test";

/** Linux compares sessions before threads when it divides the CPU. Only root may put a session first. */
export const canPutFirst = process.platform === "linux" && process.getuid?.() === 0;

/**
 * Puts the browser first when several want the CPU, if this process may. Each browser is a session of its own.
 * Chromium sets the priorities of its threads, but they count only within the session.
 */
export async function putFirst(browser: Browser): Promise<void> {
  if (!canPutFirst) return;
  const devTools = await browser.newBrowserCDPSession();
  const { processInfo } = await devTools.send("SystemInfo.getProcessInfo");
  await devTools.detach();
  const main = processInfo.find(({ type }) => type === "browser");
  writeFileSync(`/proc/${main?.id}/autogroup`, "-20");
}
