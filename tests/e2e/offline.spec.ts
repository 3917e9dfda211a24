import type { Page } from "@playwright/test";
import {
  chooseAccountMenuItem,
  getButton,
  getHeading,
  interfaceTexts,
} from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { signUp, stopRecording } from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { readBrowserStorage } from "./support/played-sound.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** What a signed-in user can do without a network. */

const texts = interfaceTexts.en;
const sentences = (about: string) => [{ original: `All about ${about}.`, translated: "" }];
const getCard = (page: Page, title: string) => page.getByRole("article").filter({ hasText: title });

const listKeys = async (page: Page) =>
  (await readBrowserStorage(page)).records.map(({ key }) => key);

const countStored = async (page: Page, name: string) =>
  (await readBrowserStorage(page)).records.filter(({ store }) => store === name).length;

test("reads the lectures that were opened here without a network, until the sign-out", {
  tag: "@core",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError|could not be kept|Failed to fetch/);
  const page = await visit({ serviceWorker: true });
  await signUp(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const ids: Record<string, string> = {};
  for (const title of ["Light", "Optics", "Heat"])
    ids[title] = await storeLecture(page, sentences(title), { title });
  await page.reload();
  for (const title of ["Light", "Optics"]) {
    await page.getByRole("link", { name: title, exact: true }).click();
    await expect(page.getByText(`All about ${title}.`)).toBeVisible();
    // It is stored after it is shown; leaving the page would end that.
    await expect.poll(() => listKeys(page)).toContain(`lecture ${ids[title]}`);
    await page.goto("/");
    await expect(getHeading(page, texts.home)).toBeVisible();
  }
  await expect(page.getByText("Readable offline")).toHaveCount(0);
  // Two lectures, all lectures, the folders.
  await expect.poll(() => countStored(page, "texts")).toBeGreaterThanOrEqual(4);

  await page.context().setOffline(true);
  await page.reload();
  await expect(getHeading(page, texts.home)).toBeVisible();
  await expect(page.getByText(/This list is as of/)).toBeVisible();
  await expect(getCard(page, "Light")).toContainText("Readable offline");
  await expect(getCard(page, "Optics")).toContainText("Readable offline");
  await expect(getCard(page, "Heat")).toContainText("Needs a network");
  await expect(getCard(page, "Heat").getByRole("link")).toHaveCount(0);
  expect(await findBarriers(page), "the list without a network").toEqual([]);

  await page.getByRole("link", { name: "Light", exact: true }).click();
  await expect(page.getByText("All about Light.")).toBeVisible();
  await page.goto(`/?lecture=${ids.Heat}`);
  await expect(getHeading(page, "This lecture is not on this device")).toBeVisible();
  await expect(
    getButton(page.getByRole("region", { name: "Transcript" }), "Try again"),
  ).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);

  await page.context().setOffline(false);
  await expect(page.getByText("All about Heat.")).toBeVisible();

  // The server hears of the sign-out later; the device forgets at once.
  await page.context().setOffline(true);
  await chooseAccountMenuItem(page, texts, texts.signOut);
  await page.waitForURL("/auth");
  await expect.poll(() => countStored(page, "texts")).toBe(0);
  await page.goto(`/?lecture=${ids.Light}`);
  await expect(getButton(page, texts.signIn)).toBeVisible();
  await expect(page.getByText("All about Light.")).toHaveCount(0);
});

// `session-connection.test.ts`, `session-unsent-audio.test.ts` and `head-message.test.tsx` hold it every time.
test("records without a network, and keeps the sound until something can recognize it", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError|Failed to fetch|lecture of /);
  const page = await visit({ serviceWorker: true });
  await installMicrophone(page.context());
  await signUp(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

  await page.context().setOffline(true);
  await page.goto("/record");
  await expect(
    page.getByText("You are offline. This page stays readable, and you can record."),
  ).toBeVisible();
  await getButton(page, "Record").click();
  await expect(page.getByText("This device has no speech model yet.")).toBeVisible();
  await expect(page.getByText(/[1-9]\d* seconds of sound wait on this device/)).toBeVisible();
  await stopRecording(page);

  // The lecture can be found in the library as soon as there is a network.
  await page.context().setOffline(false);
  await expect(page).toHaveURL(/\/record\?lecture=/);
  await expect(page.getByText(/seconds of sound wait on this device/)).toBeVisible();
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(1);
});
