import type { Locator, Page } from "@playwright/test";
import {
  createSpeech,
  openRecordingSettings,
  openTextCard,
  record,
  signUp,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** The system's few colours, of which Windows' contrast themes consist. */

/** Once the page's styles follow the system's colours. */
async function forceColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  await expect
    .poll(() => page.evaluate(() => matchMedia("(forced-colors: active)").matches))
    .toBe(true);
}

const readStyle = (element: Locator, property: string) =>
  element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);

/** The color of a keyword of the system. */
const readSystemColor = (page: Page, keyword: string) =>
  page.evaluate((name) => {
    const box = document.createElement("i");
    box.style.cssText = `color: ${name}; forced-color-adjust: none`;
    document.body.append(box);
    const { color } = getComputedStyle(box);
    box.remove();
    return color;
  }, keyword);

/** An edge that is seen: an outline or a border of another color than the page. */
async function expectEdge(page: Page, element: Locator, name: string): Promise<void> {
  const canvas = await readSystemColor(page, "Canvas");
  await expect
    .poll(
      () =>
        element.evaluate((one, background) => {
          const style = getComputedStyle(one);
          const isOutlined =
            style.outlineStyle !== "none" &&
            Number.parseFloat(style.outlineWidth) > 0 &&
            style.outlineColor !== background;
          const isBordered =
            style.borderTopStyle !== "none" &&
            Number.parseFloat(style.borderTopWidth) > 0 &&
            style.borderTopColor !== background;
          return isOutlined || isBordered;
        }, canvas),
      name,
    )
    .toBe(true);
}

test("shows buttons, meters, switches and what is chosen in the system's colors", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context(), createSpeech({ to: 60 }));
  await signUp(page, "/record");
  await forceColors(page);
  const highlight = await readSystemColor(page, "Highlight");
  const text = await readSystemColor(page, "CanvasText");
  await record(page);
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await expectEdge(page, stop, "Stop");
  await expectEdge(page, page.getByRole("button", { name: "More actions", exact: true }), "menu");
  const bar = page.locator("[data-level] i").first();
  await expect.poll(() => readStyle(bar, "background-color"), "the level").toBe(text);

  const card = await openTextCard(page);
  const chosen = card.getByRole("radio", { checked: true }).first();
  await expect.poll(() => readStyle(chosen, "border-top-color"), "a segment").toBe(highlight);
  await expect.poll(() => readStyle(chosen, "opacity"), "a segment").toBe("1");
  await page.keyboard.press("Escape");

  const dialog = await openRecordingSettings(page);
  const diarization = dialog.getByRole("switch", { name: "Speaker Diarization" });
  await expectEdge(page, diarization, "a switch");
  await expect(diarization).toBeChecked();
  await expect.poll(() => readStyle(diarization, "background-color"), "on").toBe(highlight);
  const thumb = diarization.locator("span").first();
  const onThumb = await readSystemColor(page, "HighlightText");
  await expect.poll(() => readStyle(thumb, "background-color"), "on").toBe(onThumb);
  await diarization.click();
  const offThumb = await readSystemColor(page, "ButtonText");
  await expect.poll(() => readStyle(thumb, "background-color"), "off").toBe(offThumb);
  await expect.poll(() => readStyle(diarization, "background-color"), "off").not.toBe(highlight);
});

test("marks the chosen tab, page and mark in the system's colors", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 390, height: 844 } });
  await signUp(page);
  const id = await storeLecture(page, [{ original: "Light bends.", translated: "光会弯曲。" }]);
  await forceColors(page);
  const highlight = await readSystemColor(page, "Highlight");
  const canvas = await readSystemColor(page, "Canvas");
  const current = page.getByRole("navigation").locator("a[aria-current]").first();
  await expect.poll(() => readStyle(current, "outline-color"), "the page").toBe(highlight);

  await page.goto(`/record?lecture=${id}`);
  const tab = page.getByRole("tab", { name: "Transcript" });
  await expect.poll(() => readStyle(tab, "border-bottom-color"), "its tab").toBe(highlight);
  const other = page.getByRole("tab", { name: "Summary" });
  await expect.poll(() => readStyle(other, "border-bottom-color"), "another tab").toBe(canvas);
});
