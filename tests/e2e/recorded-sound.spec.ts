import type { Page } from "@playwright/test";
import { getWaitingMs } from "#shared/recorded-take.ts";
import { findBarriers } from "./support/axe.ts";
import {
  chooseFromMenu,
  continueRecording,
  expectSaved,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { expectToast } from "./support/messages.ts";
import { installMicrophone, otherMicrophone, unplugMicrophone } from "./support/microphone.ts";
import { listTakes, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** What became of the sound of a lecture. */

const getGap = (page: Page) => page.locator("[data-gap]");
const expectRecordedTime = (page: Page, text: RegExp) =>
  expect(page.getByTitle("Recorded time")).toHaveText(text);

async function openDetails(page: Page) {
  await chooseFromMenu(page, "Recording details");
  const dialog = page.getByRole("dialog", { name: "Recording details" });
  await expect(dialog.getByText("Recorded", { exact: true }).first()).toBeVisible();
  return dialog;
}

// `session-recorded-takes.test.ts` and `gaps.test.tsx` hold it every time.
test("the next microphone takes the place of an unplugged one, which leaves a gap, and the recording's details add up", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  const lectureId = await storeLecture(page, [
    { original: "Light bends.", translated: "光会弯曲。" },
    { original: "It bends back.", translated: "它又弯回来。" },
  ]);
  await page.goto(`/record?lecture=${lectureId}`);
  await continueRecording(page);
  await expectRecordedTime(page, /0:0[3-9]/);
  await unplugMicrophone(page);
  await expectToast(page, `Now recording with ${otherMicrophone}`);
  const text = /^\d+ s without sound: the source of the sound was gone$/;
  await expect(getGap(page)).toHaveText(text);
  await expectRecordedTime(page, /0:0[6-9]|0:1\d/);
  await stopRecording(page);
  // A stop that was wanted is no gap.
  await expect(getGap(page)).toHaveCount(1);
  const shown = await getGap(page).textContent();
  await expectSaved(page);

  const dialog = await openDetails(page);
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByText("The transcript shows where.")).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);
  const takes = await listTakes(page, lectureId);
  expect(takes).toHaveLength(1);
  expect(takes.map(getWaitingMs)).toEqual([0]);
  for (const { capturedMs, acknowledgedMs, missingMs } of takes) {
    expect(acknowledgedMs).toBeGreaterThan(1_000);
    expect(acknowledgedMs + missingMs).toBe(capturedMs);
  }
  expect(takes[0]?.missingMs).toBeGreaterThan(1_000);
  expect(takes[0]?.gaps).toEqual([
    {
      atMs: expect.any(Number),
      lengthMs: takes[0]?.missingMs,
      reason: "disconnected",
    },
  ]);
  await page.keyboard.press("Escape");

  // The stored lecture shows the same.
  await page.goto(`/?lecture=${lectureId}`);
  await expect(getGap(page)).toHaveText(shown ?? "");
  await openDetails(page);
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(1);
  await page.goto(`/print?lecture=${lectureId}`);
  await expect(page.getByRole("cell", { name: shown ?? "" })).toBeVisible();
});
