import type { Page } from "@playwright/test";
import { signUp } from "./support/journey.ts";
import { callProcedure, storeFolder, storeMany } from "./support/library.ts";
import { expectToast } from "./support/messages.ts";
import { replaceResponse } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** Full-text search: what is found, how it is shown, and landing on it. */

const field = (page: Page, label = "Search lectures") =>
  page.getByRole("searchbox", { name: label, exact: true });
const hit = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("link", { name: title, exact: true }) });
const marks = (page: Page, title: string) => hit(page, title).locator("mark");

/** The focused element stands wholly in the window. */
const inView = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect();
        return box ? box.top >= 56 && box.bottom <= innerHeight : false;
      }),
    )
    .toBe(true);

test("finds words in titles, sentences and summaries, and opens the hit at its place", async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  const long = await storeLecture(
    page,
    Array.from({ length: 500 }, (_, at) => ({
      english: `Line ${at} of many. `.repeat(1 + (at % 4)),
      translated: "",
    })),
    { title: "Long" },
  );
  for (let from = 500; from < 2_000; from += 500)
    await callProcedure(page, "lectures.appendEntries", {
      lectureId: long,
      from,
      entries: Array.from({ length: 500 }, (_, at) => ({
        ...{
          english: from + at === 1_713 ? "Then refraction bends the wave." : `Line ${from + at}.`,
        },
        ...{ translated: from + at === 1_713 ? "于是折射使波弯曲。" : "", translatedByHand: false },
        ...{ translatedInto: null, speaker: null, revision: 0 },
        ...{ startMs: (from + at) * 1_000, endMs: (from + at) * 1_000 + 900 },
      })),
    });
  await storeLecture(page, [], { title: "Refracting telescopes" });
  const optics = await storeLecture(page, [{ english: "Light.", translated: "光。" }], {
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
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("refraction wave");
  await expect(page.getByText("2 lectures found")).toBeVisible();
  await expect(page).toHaveURL("/?q=refraction+wave");
  await expect(hit(page, "Long")).toContainText(/Transcript\s*28:33/);
  await expect(marks(page, "Long")).toHaveText(["refraction", "wave"]);
  await expect(hit(page, "Optics")).toContainText("Summary");
  await expect(marks(page, "Optics")).toHaveText(["refracts", "wave"]);

  // The sentence, far down in two thousand.
  await page.getByRole("link", { name: "Long" }).click();
  const row = page.locator('[data-row="1713"]');
  await expect(row).toBeFocused();
  await expect(row.locator("mark")).toHaveText(["refraction", "wave"]);
  await inView(page);
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page).toHaveURL("/?q=refraction+wave");
  await expect(field(page)).toHaveValue("refraction wave");
  await expect(page.getByRole("link", { name: "Long" })).toBeFocused();

  // The sentence of a summary is selected in its field.
  await page.getByRole("link", { name: "Optics" }).click();
  const summary = page.locator("textarea");
  await expect(summary).toBeFocused();
  await expect
    .poll(() =>
      summary.evaluate((area) =>
        area instanceof HTMLTextAreaElement
          ? area.value.slice(area.selectionStart, area.selectionEnd)
          : "",
      ),
    )
    .toBe("What refracts is the wave.");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200);
  await page.reload();
  await expect(summary).toBeFocused();
  await page.goBack();

  await field(page).fill("refracting");
  await expect(page.getByText("3 lectures found")).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText("Title");
  await expect(page.getByRole("article").first().locator("mark")).toHaveText("Refracting");

  // Nothing, a failure, and the way back to the list.
  await field(page).fill("nowhere");
  await expect(page.getByRole("heading", { name: "Nothing found for “nowhere”" })).toBeVisible();
  // One that is not tried again by itself.
  const refusal = {
    error: { message: "", code: -32600, data: { appCode: "validation_failed", httpStatus: 400 } },
  };
  await replaceResponse(page, "lectures.search", refusal);
  await field(page).fill("broken");
  await expect(page.getByRole("heading", { name: "The search failed" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Nothing found for “broken”" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(field(page)).toBeFocused();
  await expect(page.getByRole("toolbar")).toBeVisible();
  await expect(page).toHaveURL("/");

  await replaceResponse(page, "lectures.list", refusal);
  await page.reload();
  await expectToast(page, "Error", "Failed to load folders and lectures");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("link", { name: "Optics", exact: true })).toBeVisible();

  await replaceResponse(page, "folders.list", refusal);
  await page.goto("/record");
  await expectToast(page, "Error", "Failed to load folders and lectures");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("treeitem", { name: "Uncategorized" })).toBeVisible();
});

test("中文搜索：输入法、键盘与分页", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const folder = await storeFolder(page, "物理");
  await storeMany(24, (at) =>
    storeLecture(page, [{ english: `Number ${at}.`, translated: `第${at}讲：机器学习与熵。` }], {
      title: `第${at}讲`,
    }),
  );
  const learning = await storeLecture(
    page,
    [
      { english: "Machines learn.", translated: "机器在学习。" },
      { english: "Entropy.", translated: "机器学习中的熵，人人都懂。" },
    ],
    { title: "人工智能" },
  );
  await callProcedure(page, "lectures.move", { id: learning, folderId: folder });
  await page.evaluate(() => localStorage.setItem("interfaceLanguage", "zh"));
  await page.goto(`/?folder=${folder}`);
  await expect(page.getByRole("button", { name: "物理（1）" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );

  // Composed letters ask for nothing, and Enter ends the composition alone.
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("lectures.search")) asked.push(request.url());
  });
  await page.keyboard.press("/");
  const search = field(page, "搜索课程");
  await expect(search).toBeFocused();
  const typing = await page.context().newCDPSession(page);
  for (const text of ["r", "re", "ren'ren"])
    await typing.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await expect(search).toHaveValue("ren'ren");
  await typing.send("Input.insertText", { text: "人人" });
  await expect(page.getByText("找到 1 门课程")).toBeVisible();
  expect(asked).toHaveLength(1);
  expect(decodeURIComponent(asked[0] ?? "")).toContain("人人");
  await expect(marks(page, "人工智能")).toHaveText("人人");

  // By keyboard into the place and back.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "人工智能" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-row="1"]')).toBeFocused();
  await expect(page.locator('[data-row="1"] mark')).toHaveText("人人");
  await page.goBack();
  await expect(page.getByRole("link", { name: "人工智能" })).toBeFocused();

  // Page after page, each lecture once.
  await search.fill("机器学习");
  // The second page may be there before the first one was seen.
  await expect(page.getByText(/^(最相关的 20|找到 25) 门课程$/)).toBeVisible();
  await page.keyboard.press("End");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByText("找到 25 门课程")).toBeVisible();
  await expect(page.getByRole("listitem").last()).toHaveAttribute("aria-setsize", "25");
  await search.focus();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`/?folder=${folder}`);
  await expect(page.getByRole("article")).toHaveCount(1);
});
