import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readAnki } from "#tests/unit/client/reading/flashcards/read-anki.ts";
import { chooseFromMenu, signUp } from "./support/journey.ts";
import { openPart } from "./support/lecture-parts.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const sentences = [
  "We decided to move the exam to Monday.",
  "Entropy never falls in a closed system.",
  "Ana sends the slides by Friday.",
];

// `flashcards-dialog.test.tsx`, `cards.test.ts` and `summary.test.tsx` hold it every time.
test("makes flashcards for Anki of a mark and a term, and opens a sentence from the minutes", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page);
  const folderId = await storeFolder(page, "Physics");
  const id = await storeLecture(
    page,
    [...sentences, ...Array.from({ length: 40 }, (_, at) => `Filler number ${at}.`)].map(
      (original, at) => ({
        original,
        translated: `第${at}句。`,
        startMs: at * 20_000,
        endMs: at * 20_000 + 900,
      }),
    ),
    { title: "Heat and work" },
  );
  await callProcedure(page, "lectures.move", { id, folderId });
  await callProcedure(page, "glossary.change", {
    folderId,
    changes: [
      { id: randomUUID(), language: "en", term: "entropy", translations: { "zh-cn": "熵" } },
    ],
  });
  await callProcedure(page, "marks.change", {
    lectureId: id,
    deletedIds: [],
    marks: [{ id: randomUUID(), atMs: 0, position: null, note: "When is the exam?" }],
  });
  await page.goto(`/record?lecture=${id}`);
  await expect(page.locator('[data-row="0"]')).toBeVisible();

  await test.step("edits one card, leaves one out, and exports the others", async () => {
    await chooseFromMenu(page, "Flashcards…");
    const dialog = page.getByRole("dialog", { name: "Flashcards" });
    await expect(dialog.getByRole("textbox", { name: "Translation" })).toHaveValue("熵");
    await dialog.getByRole("button", { name: "Write questions" }).click();
    const questions = dialog.getByRole("textbox", { name: "Question" });
    await expect(questions).toHaveCount(2);
    await expect(questions.first()).toHaveValue(/〔.+〕 When is the exam\?/);
    await questions.first().fill("When is the exam?");
    await dialog.getByRole("checkbox").last().uncheck();
    await expect(dialog).toContainText("2 cards to export");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Export for Anki" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("Heat and work (Anki).txt");
    const { notes } = readAnki(await readFile(await file.path(), "utf8"));
    expect(notes.map(([, ...fields]) => fields)).toEqual([
      [
        "When is the exam?",
        expect.stringMatching(
          /〕 We decided .+<br><br>\[0:00\] We decided to move the exam to Monday\.$/,
        ),
        "Heat and work",
      ],
      ["entropy", `熵<br><br>[0:20] ${sentences[1]}`, "Heat and work"],
    ]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("opens the sentence of a task from the minutes", async () => {
    const summary = await openPart(page, "Summary");
    await summary.getByRole("button", { name: "Choose a template…" }).click();
    await page.getByRole("dialog").getByRole("radio", { name: "Meeting" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Generate Summary" }).click();
    const task = summary.getByRole("listitem").filter({ hasText: "Ana sends" });
    await expect(summary.getByRole("listitem")).toHaveCount(2);
    await task.getByRole("button", { name: "0:40" }).click();
    await expect(page.locator('[data-row="2"]')).toBeFocused();
    await expect(page.locator('[data-row="2"]')).toBeInViewport();
    await expect(summary).toBeHidden();
  });
});
