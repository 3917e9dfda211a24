import type { Page } from "@playwright/test";
import { signUp } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { readMarked } from "./support/transcript.ts";

/** Full-text search: results, marks, and opening a result. */

const getField = (page: Page, label = "Search lectures") =>
  page.getByRole("searchbox", { name: label, exact: true });
const getResult = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("link", { name: title, exact: true }) });
const getMarks = (page: Page, title: string) => getResult(page, title).locator("mark");

/** Expects the focused element to be completely in the window. */
const expectFocusInView = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect();
        return box ? box.top >= 56 && box.bottom <= innerHeight : false;
      }),
    )
    .toBe(true);

test("finds words in titles, sentences and summaries, and opens the hit at its place", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const found = {
    original: "Then refraction bends the wave.",
    translated: "于是折射使波弯曲。",
  };
  await storeLecture(
    page,
    Array.from({ length: 500 }, (_, at) =>
      at === 413
        ? found
        : { original: `Line ${at} of many. `.repeat(1 + (at % 4)), translated: "" },
    ),
    { title: "Long" },
  );
  await storeLecture(page, [], { title: "Refracting telescopes" });
  const optics = await storeLecture(page, [{ original: "Light.", translated: "光。" }], {
    title: "Optics",
  });
  const paragraph = "Waves of every kind are described here at some length. ".repeat(40);
  await callProcedure(page, "lectures.change", {
    id: optics,
    summary: `${paragraph}\n\nWhat refracts is the wave.\n\n${paragraph}`,
  });
  await page.reload();

  await expect(page.getByRole("link", { name: "Optics", exact: true })).toBeVisible();
  await page.keyboard.press("/");
  await expect(getField(page)).toBeFocused();
  await page.keyboard.type("refraction wave");
  await expect(page.getByText("2 lectures found")).toBeVisible();
  await expect(page).toHaveURL("/?q=refraction+wave");
  await expect(getResult(page, "Long")).toContainText(/Transcript\s*6:53/);
  await expect(getMarks(page, "Long")).toHaveText(["refraction", "wave"]);
  await expect(getResult(page, "Optics")).toContainText("Summary");
  await expect(getMarks(page, "Optics")).toHaveText(["refracts", "wave"]);

  // A sentence far down.
  await page.getByRole("link", { name: "Long" }).click();
  const row = page.locator('[data-row="413"]');
  await expect(row).toBeFocused();
  await expect.poll(() => readMarked(page, "hits")).toEqual(["refraction", "wave"]);
  await expectFocusInView(page);
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page).toHaveURL("/?q=refraction+wave");
  await expect(getField(page)).toHaveValue("refraction wave");
  await expect(page.getByRole("link", { name: "Long" })).toBeFocused();

  // A summary's sentence is marked where it stands.
  await page.getByRole("link", { name: "Optics" }).click();
  const summary = page.getByRole("article", { name: "Summary" });
  await expect(summary).toBeFocused();
  await expect.poll(() => readMarked(page, "hits")).toEqual(["refracts", "wave"]);
  await expect(summary.getByText("What refracts is the wave.")).toBeInViewport();
  await page.reload();
  await expect(summary).toBeFocused();
  await page.goBack();
  await expect(page.getByText("2 lectures found")).toBeVisible();

  // Letters in composition do not search, and Enter only ends the composition.
  await getField(page).fill("");
  await expect(page).toHaveURL("/");
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("lectures.search")) requests.push(request.url());
  });
  const typing = await page.context().newCDPSession(page);
  for (const text of ["z", "zhe", "zhe'she"])
    await typing.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await expect(getField(page)).toHaveValue("zhe'she");
  await typing.send("Input.insertText", { text: "折射" });
  await expect(page.getByText("1 lecture found")).toBeVisible();
  expect(requests.map(decodeURIComponent)).toEqual([expect.stringContaining("折射")]);
  await expect(getMarks(page, "Long")).toHaveText("折射");
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(getField(page)).toBeFocused();
  await expect(page.getByRole("heading", { name: "Your Lectures" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Optics", exact: true })).toBeVisible();
});
