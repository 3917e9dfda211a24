import { encodeWav } from "#tests/fixtures/wav.ts";
import { findBarriers } from "./support/axe.ts";
import { createSpeech, signUp } from "./support/journey.ts";
import { expectSpeech, getFileCard, readRecognized } from "./support/media-files.ts";
import { expect, test } from "./support/test.ts";

/** A name that the server never asks. */
const closed = "https://recordings.internal";

// `download.test.ts`, `remote-view.test.tsx` and `remote-files.test.ts` hold its parts every time.
test("makes a lecture of an episode that a page leads to, and says what cannot be fetched", {
  tag: "@nightly",
}, async ({ visit, site, expectConsoleErrors }) => {
  // The browser tells that the site lets no page read its file, and that the policy of pages forbids others.
  expectConsoleErrors(/recordings\.internal|remote-file/);
  const speech = createSpeech({
    wordsPerSentence: 4,
    sentencesPerSpeaker: 2,
    to: 8,
    sampleRate: 16_000,
  });
  const wav = Buffer.from(encodeWav(speech.samples, 16_000));
  const standIn = `${site.stackUrl}/elsewhere/${crypto.randomUUID()}`;
  const put = (path: string, type: string, body: string | Buffer<ArrayBuffer>) =>
    fetch(standIn + path, { method: "PUT", headers: { "content-type": type }, body });
  const item = (title: string, address: string, day: number) =>
    `<item><title>${title}</title><pubDate>0${day} Nov 2026 08:00:00 GMT</pubDate><enclosure url="${address}" type="audio/wav" length="${wav.length}"/></item>`;
  await put("/talk.wav", "audio/wav", wav);
  await put(
    "/feed",
    "application/rss+xml",
    `<rss><channel><title>Optics</title>${item("By the server", `${standIn}/talk.wav`, 1)}${item("Closed", `${closed}/talk.wav`, 3)}</channel></rss>`,
  );
  await put(
    "/page",
    "text/html",
    `<!doctype html><title>Optics</title><link rel="alternate" type="application/rss+xml" href="${standIn}/feed">`,
  );
  const page = await visit();
  // As the browser ends a request whose answer no page may read.
  await page.context().route(`${closed}/**`, (route) => route.abort());
  await signUp(page);

  const dialog = page.getByRole("dialog", { name: "Import a lecture" });
  const open = async () => {
    await page.getByRole("button", { name: "Import sound or text", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Or paste a link" }).fill(`${standIn}/page`);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Fetch" }).click();
    await expect(dialog.getByText("Choose an episode")).toBeVisible();
  };
  const start = async (title: string) => {
    await dialog.getByRole("button", { name: title }).click();
    await expect(dialog.getByText(`${title}.wav`)).toBeVisible();
    await dialog.getByRole("button", { name: /^Start/ }).click();
    await expect(dialog).toBeHidden();
  };
  await open();
  expect(await findBarriers(page)).toEqual([]);
  await start("By the server");
  await open();
  await dialog.getByRole("button", { name: "Closed" }).click();
  await expect(
    dialog.getByText("Dualect does not fetch from this address.", { exact: false }),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Back to the list" }).click();
  await page.keyboard.press("Escape");

  await expect(getFileCard(page).getByText("Recognized and saved")).toHaveCount(1, {
    timeout: 60_000,
  });
  expectSpeech((await readRecognized(page, "By the server")).entries, speech);

  // The page itself may not do what its worker may.
  const refused = page.evaluate(
    (address) =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
          resolve(effectiveDirective),
        );
        fetch(address).catch(() => {});
      }),
    `${closed}/talk.wav`,
  );
  expect(await refused).toBe("connect-src");
});
