import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import { chooseFromMenu, createSpeech, record, signUp } from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

const size = { width: 460, height: 380 };
const shownRowsMax = 12;

/** Opens the window with captions, by `open`. */
async function openCaptions(page: Page, open: () => Promise<void>): Promise<Page> {
  const [captions] = await Promise.all([page.context().waitForEvent("page"), open()]);
  await captions.setViewportSize(size);
  return captions;
}

/** Reads each frame of the window: every row's text, what moves beside other rows, and by how much all move, px. */
async function watchRows(captions: Page) {
  await captions.evaluate(() => {
    const seen = {
      texts: {} as Record<string, string>,
      shifts: [] as string[],
      turns: [] as number[],
    };
    let before = new Map<string, DOMRect>();
    function check(): void {
      const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
      const now = new Map(rows.map((row) => [row.dataset.row ?? "", row.getBoundingClientRect()]));
      for (const row of rows)
        seen.texts[row.dataset.row ?? ""] = row.querySelector('p[lang="en"]')?.textContent ?? "";
      const moved = [...now].flatMap(([position, { top, height }]) => {
        const last = before.get(position);
        if (!last) return [];
        if (Math.abs(last.height - height) > 0.5)
          seen.shifts.push(`${position}: ${last.height} → ${height} high`);
        return [top - last.top];
      });
      const [turn = 0] = moved;
      if (moved.some((px) => Math.abs(px - turn) > 0.5)) seen.shifts.push(`apart: ${moved}`);
      if (Math.abs(turn) > 0.5) seen.turns.push(turn);
      before = now;
      requestAnimationFrame(check);
    }
    check();
    Reflect.set(window, "seenRows", seen);
  });
  return () =>
    captions.evaluate(
      () =>
        Reflect.get(window, "seenRows") as {
          texts: Record<string, string>;
          shifts: string[];
          turns: number[];
        },
    );
}

test("shows every word once in a window of its own, in which nothing moves that was read", {
  tag: "@nightly",
}, async ({ visit }) => {
  const fixture = createSpeech({ to: 24, wordsPerSentence: 2, sentencesPerSpeaker: 0 });
  const last = fixture.sentences.at(-1)?.text ?? "";
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page, "/record");
  await record(page);
  // It comes with the parts that wait for the first paint.
  await expect(page.getByRole("button", { name: "What was just said?" })).toBeVisible();
  const captions = await openCaptions(page, () => page.keyboard.press("w"));
  const readSeen = await watchRows(captions);
  await expect(captions.locator('[data-row="2"]')).toBeVisible();
  await captions.getByRole("button", { name: "Mark what is being said" }).click();
  await expect(getTranscript(page).locator("[data-mark]")).toHaveCount(1);

  const timeout = fixture.durationMs + 20_000;
  await expect(captions.locator("[data-row]").filter({ hasText: last })).toBeVisible({ timeout });
  const { texts, shifts, turns } = await readSeen();
  const said = fixture.sentences.map(({ text }) => text);
  expect(Object.values(texts).map((text) => text.replace("[S1]", ""))).toEqual(said);
  expect(shifts).toEqual([]);
  expect(turns.length).toBeGreaterThan(2);
  expect(turns.filter((px) => px > 0)).toEqual([]);
  expect(await captions.locator("[data-row]").count()).toBeLessThanOrEqual(shownRowsMax);
  expect(await findBarriers(captions)).toEqual([]);

  await captions.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Paused", { exact: true }).first()).toBeVisible();
  await expect(captions.getByRole("button", { name: "Continue" })).toBeVisible();
  // The window stays while the tab shows another page, and closes as it opened.
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(captions.locator("[data-row]").filter({ hasText: last })).toBeVisible();
  await page.goBack();
  await expect(page.locator("[data-row]").filter({ hasText: last })).toBeVisible();
  await page.keyboard.press("w");
  await expect.poll(() => captions.isClosed()).toBe(true);

  // Without windows that stay on top: a usual one, which is closed with the page.
  await page.evaluate(() =>
    Object.defineProperty(window, "documentPictureInPicture", { value: undefined }),
  );
  const popup = await openCaptions(page, () => chooseFromMenu(page, "Captions in a small window"));
  await expect(popup.locator("[data-row]").filter({ hasText: last })).toBeVisible();
  await page.reload();
  await expect.poll(() => popup.isClosed()).toBe(true);
});
