import { basename, extname } from "node:path";
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import { installEngines } from "#tests/e2e/support/browser-engines.ts";
import { chromiumArgs, headlessShellPath } from "#tests/e2e/support/chromium.ts";
import { signUp } from "#tests/e2e/support/journey.ts";
import { chooseMediaFiles, getFileCard, readRecognized } from "#tests/e2e/support/media-files.ts";
import { hubHosts, openModels, startModelHub } from "#tests/e2e/support/model-hub.ts";
import { startSite } from "#tests/e2e/support/site.ts";
import { readContents } from "./weights.ts";

export interface ImportedFile {
  /** What the page has saved. */
  text: string;
  /** What the page says of it at the end: whether all of it was recognised. */
  state: string;
  /** From Start to that, s. */
  seconds: number;
}

export interface PageImport {
  browserVersion: string;
  /** Imports a file of sound, as a person does it. */
  importFile(path: string): Promise<ImportedFile>;
  close(): Promise<void>;
}

/** The built product in Chromium, with the weights in `model` at its model hub, from which the page has downloaded them. */
export async function openPageImport(buildDir: string, model: string): Promise<PageImport> {
  const hub = await startModelHub(await readContents(model));
  // No demo: the device is the only engine.
  const site = await startSite({ buildDir, env: { SPEECH: "" } });
  const browser = await chromium.launch({
    executablePath: headlessShellPath(),
    args: [
      ...chromiumArgs(),
      `--host-resolver-rules=${hubHosts.map((name) => `MAP ${name} 127.0.0.1:${hub.port}`)}`,
    ],
  });
  const close = async () => {
    await browser.close();
    await site.close();
    await hub.close();
  };
  try {
    const page = await openPage(browser, site.url);
    await downloadModel(page);
    return {
      browserVersion: browser.version(),
      importFile: (path) => importFile(page, path),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    serviceWorkers: "block",
    ignoreHTTPSErrors: true,
  });
  await context.addInitScript(() => {
    localStorage.setItem("selectedLanguage", "none");
    localStorage.setItem("interfaceLanguage", "en");
  });
  // This process's compiler wraps functions in a helper that pages do not have.
  await context.addInitScript("globalThis.__name = (target) => target");
  await installEngines(context, {});
  return context.newPage();
}

async function downloadModel(page: Page): Promise<void> {
  await signUp(page, "/record");
  const model = await openModels(page);
  await model.getByRole("button", { name: "Download" }).click();
  await expect(model.getByRole("status")).toHaveText("On this device, and in use.", {
    timeout: 60_000,
  });
}

async function importFile(page: Page, path: string): Promise<ImportedFile> {
  await page.goto("/");
  const dialog = await chooseMediaFiles(page, path);
  const start = dialog.getByRole("button", { name: /^Start/ });
  await expect(start).toBeEnabled({ timeout: 60_000 });
  const since = performance.now();
  await start.click();
  const card = getFileCard(page);
  const end = card.getByText(/^(Recognized and saved|Saved, but not all)/);
  await end.waitFor({ timeout: 1_800_000 });
  const seconds = (performance.now() - since) / 1_000;
  const state = await end.innerText();
  await card.getByRole("button", { name: /^Remove/ }).click();
  const { entries } = await readRecognized(page, basename(path, extname(path)));
  return { text: entries.map(({ original }) => original).join(" "), state, seconds };
}
