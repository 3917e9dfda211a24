import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { createSpeech, signUp } from "#tests/e2e/support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "#tests/e2e/support/kept-sound.ts";
import { callProcedure, storeFolder } from "#tests/e2e/support/library.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { shareLecture, storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { createVoice } from "#tests/fixtures/voice.ts";
import { entropy, mixing, placeSentences, probability } from "./sentences.ts";
import { type Look, looks, pressRecord, setWidth, widths } from "./shoot.ts";

/**
 * Pages beside those of a prototype: `PROTOTYPE` is the folder with its HTML files, which take the theme and the
 * language from their address.
 */
const prototype = process.env.PROTOTYPE;
test.skip(!prototype, "PROTOTYPE names no folder");

/** Opens the page in this look, in a window that has its width. */
type Open = (page: Page, look: Look) => Promise<void>;

const toUrl = (buffer: Buffer) => `data:image/png;base64,${buffer.toString("base64")}`;

/** Takes `page` in each look and width, with the prototype's `file`, which may have a query, at its right. */
async function captureBeside(page: Page, name: string, file: string, open: Open): Promise<void> {
  // Not in the context of the page, whose requests and console are watched.
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error("the browser has ended");
  const other = await context.newPage();
  const sheet = await context.newPage();
  for (const look of looks)
    for (const width of widths) {
      await setWidth(page, width);
      await open(page, look);
      await page.waitForLoadState("networkidle");
      const own = await page.screenshot();
      await setWidth(other, width);
      const [path = "", search = ""] = file.split("?");
      const address = pathToFileURL(resolve(prototype ?? "", path));
      address.search = search;
      address.searchParams.set("theme", look.theme);
      address.searchParams.set("lang", look.language);
      await other.goto(address.href);
      const drawn = await other.screenshot();
      const { height } = page.viewportSize() ?? { height: 0 };
      await sheet.setViewportSize({ width: 2 * width + 16, height });
      await sheet.setContent(
        `<body style="margin:0;display:flex;gap:16px;background:#888">
          <img src="${toUrl(own)}"><img src="${toUrl(drawn)}"></body>`,
      );
      const picture = `${name}-${look.language}-${look.theme}-${width}.png`;
      await sheet.screenshot({ path: `screenshots/beside/${picture}` });
    }
  await context.close();
}

/** Opens an address in a look, and waits for what is on it. */
const visitAddress =
  (address: string, content: string): Open =>
  async (page, look) => {
    await setLook(page, look);
    await page.goto(address);
    await expect(page.locator(content).first()).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  };

test("captures the first page", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  await captureBeside(page, "first", "first.html", visitAddress("/auth", "h1"));
});

test("captures the library, a lecture, questions and the settings", async ({ visit }) => {
  const sound = encodeKeptSound(createVoice(60_000, 16_000));
  const page = await visit();
  await keepSound(page);
  await signUp(page);
  const physics = await storeFolder(page, "Thermodynamics");
  await storeFolder(page, "Linear algebra");
  await storeLecture(page, probability, { title: "Probability and counting" });
  await storeLecture(page, mixing, { title: "Mixing and demixing" });
  const title = "Entropy and the arrow of time";
  const rows = placeSentences(entropy, 7_000);
  const id = await storeLecture(page, rows, { title });
  await callProcedure(page, "lectures.complete", { id, title, folderId: physics });
  await callProcedure(page, "lectures.change", {
    id,
    speakerNames: { "1": "Dr. Okafor", "2": "Student" },
    summary:
      "## Why a second law\n\n- The laws of motion have no direction.\n- The second law is about counting.\n\n## Boltzmann's entropy\n\n- Entropy is the logarithm of the number of states.",
  });
  const address = `/record?lecture=${id}`;
  await page.goto(address);
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await expect
    .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
    .toContain("dualect-takes");
  await storeKeptSound(page, id, sound);
  await captureBeside(page, "home", "home.html", visitAddress("/", "article"));
  await captureBeside(page, "lecture", "lecture.html", visitAddress(address, "[role=slider]"));
  await captureBeside(page, "settings", "settings.html", visitAddress("/profile", "h1"));
  await setLook(page, { language: "en", theme: "light" });
  await page.goto("/ask");
  const examples = page.locator("[aria-labelledby=examples] button");
  await examples.first().click();
  await expect(page.getByRole("button", { name: "Ask further" })).toBeVisible();
  await captureBeside(page, "ask", "ask.html", visitAddress("/ask", "article"));
  const path = await shareLecture(page, id);
  await page.evaluate(() => localStorage.setItem("readerLanguage", "zh-cn"));
  await captureBeside(page, "share", "share.html", visitAddress(path, "[data-row]"));
});

test("captures a recording", async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context(), createSpeech({ to: 600 }));
  await signUp(page, "/record");
  const ready = visitAddress("/record", "[data-introduction]");
  await captureBeside(page, "recording-ready", "recording.html?state=ready", ready);
  let recordingIn: Look | undefined;
  await captureBeside(page, "recording", "recording.html", async (shown, look) => {
    if (look === recordingIn) return;
    recordingIn = look;
    await ready(shown, look);
    await pressRecord(shown);
    await expect(shown.locator("[data-row='4']")).toBeVisible({ timeout: 60_000 });
  });
});
