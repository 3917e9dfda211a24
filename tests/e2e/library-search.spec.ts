import type { Page } from "@playwright/test";
import { signUp } from "./support/journey.ts";
import { callProcedure, storeFolder, storeMany } from "./support/library.ts";
import { readMarked } from "./support/marked.ts";
import { expectToast } from "./support/messages.ts";
import { replaceResponse } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

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
        ...{ translatedInto: null, speaker: null, revision: 1 },
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
  await expect(getField(page)).toBeFocused();
  await page.keyboard.type("refraction wave");
  await expect(page.getByText("2 lectures found")).toBeVisible();
  await expect(page).toHaveURL("/?q=refraction+wave");
  await expect(getResult(page, "Long")).toContainText(/Transcript\s*28:33/);
  await expect(getMarks(page, "Long")).toHaveText(["refraction", "wave"]);
  await expect(getResult(page, "Optics")).toContainText("Summary");
  await expect(getMarks(page, "Optics")).toHaveText(["refracts", "wave"]);

  // A sentence far down among two thousand.
  await page.getByRole("link", { name: "Long" }).click();
  const row = page.locator('[data-row="1713"]');
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

  await getField(page).fill("refracting");
  await expect(page.getByText("3 lectures found")).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText("Title");
  await expect(page.getByRole("article").first().locator("mark")).toHaveText("Refracting");

  // No results, a failure, and the return to the list.
  await getField(page).fill("nowhere");
  await expect(page.getByRole("heading", { name: "Nothing found for “nowhere”" })).toBeVisible();
  // A failure without an automatic retry.
  const refusal = {
    error: { message: "", code: -32600, data: { appCode: "validation_failed", httpStatus: 400 } },
  };
  await replaceResponse(page, "lectures.search", refusal);
  await getField(page).fill("broken");
  await expect(page.getByRole("heading", { name: "Search failed" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Nothing found for “broken”" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await expect(getField(page)).toBeFocused();
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

  // Letters in composition do not search, and Enter only ends the composition.
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("lectures.search")) requests.push(request.url());
  });
  await page.keyboard.press("/");
  const search = getField(page, "搜索课堂记录");
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
  await expect(page.getByText("找到 1 条课堂记录")).toBeVisible();
  expect(requests).toHaveLength(1);
  expect(decodeURIComponent(requests[0] ?? "")).toContain("人人");
  await expect(getMarks(page, "人工智能")).toHaveText("人人");

  // Opens a result by keyboard and returns.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "人工智能" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-row="1"]')).toBeFocused();
  await expect.poll(() => readMarked(page, "hits")).toEqual(["人人"]);
  await page.goBack();
  await expect(page.getByRole("link", { name: "人工智能" })).toBeFocused();

  // All pages together show each lecture once.
  await search.fill("机器学习");
  // The second page may arrive before the first one is checked.
  await expect(page.getByText(/^(最相关的 20|找到 25) 条课堂记录$/)).toBeVisible();
  await page.keyboard.press("End");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByText("找到 25 条课堂记录")).toBeVisible();
  await expect(page.getByRole("listitem").last()).toHaveAttribute("aria-setsize", "25");
  await search.focus();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`/?folder=${folder}`);
  await expect(page.getByRole("article")).toHaveCount(1);
});
