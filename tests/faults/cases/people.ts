import type { Page } from "@playwright/test";
import { continueRecording, password } from "#tests/e2e/support/journey.ts";
import { callProcedure } from "#tests/e2e/support/library.ts";
import { listEntries } from "#tests/e2e/support/stored.ts";
import { expect } from "#tests/e2e/support/test.ts";
import { type Fault, type Recording, services } from "#tests/faults/recording.ts";

const newPassword = `${password} again`;

/** `page` takes the recording over. What the first page has not sent becomes words when it is opened again. */
async function takeOver(recording: Recording, page: Page): Promise<void> {
  const first = recording.page;
  // The other page shows what is saved.
  await expect.poll(() => listEntries(first, recording.id)).not.toEqual([]);
  await page.goto(`/record?lecture=${recording.id}`);
  await recording.waitForSentence(0, 1, page);
  await continueRecording(page);
  await recording.waitUntilTold(["notice.recordingTakenOver"]);
  recording.page = page;
  recording.isAnew = true;
  recording.others.push(first);
}

export const peopleFaults: readonly Fault[] = [
  {
    name: "second tab that goes on with the recording",
    engines: services,
    words: 90,
    tells: ["notice.recordingTakenOver"],
    leaves: 2,
    async cause(recording) {
      await takeOver(recording, await recording.page.context().newPage());
    },
  },
  {
    name: "second device that goes on with the recording",
    engines: services,
    words: 90,
    tells: ["notice.recordingTakenOver"],
    leaves: 2,
    async cause(recording) {
      const other = await recording.means.openDevice();
      await recording.signIn(other, password);
      await takeOver(recording, other);
    },
  },
  {
    name: "sign-out on another device",
    engines: services,
    words: 21,
    tells: ["auth.sessionExpired"],
    async cause(recording) {
      const { page } = recording;
      const other = await recording.means.openDevice();
      await recording.signIn(other, password);
      // It ends all other sessions of the account.
      await callProcedure(other, "auth.changePassword", {
        currentPassword: password,
        newPassword,
      });
      await recording.waitUntilTold(["auth.sessionExpired"]);
      recording.isOver = true;
      await recording.signIn(page, newPassword);
      await page.goto(`/record?lecture=${recording.id}`);
    },
  },
];
