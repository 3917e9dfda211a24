import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { messages } from "#tests/e2e/support/interface.ts";
import { signUp } from "#tests/e2e/support/journey.ts";
import { callProcedure } from "#tests/e2e/support/library.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { listEntries, storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { mixing } from "./sentences.ts";
import { setWidth, twoLooks, widths } from "./shoot.ts";

/** Puts a question of each kind into the quiz of a lecture, the first with the least `at`. */
async function storeQuestions(page: Page, lectureId: string): Promise<void> {
  const [row] = await listEntries(page, lectureId);
  const text = row?.original ?? "";
  const [answer = ""] = text.match(/\p{L}{5,}/u) ?? [];
  const shared = {
    lectureId,
    answer,
    rows: [{ id: row?.id, position: 0, startMs: row?.startMs ?? 0, text }],
    language: "en",
    memory: null,
    createdAt: "2026-11-20T08:00:00.000Z",
  };
  const others = ["the volume of the gas", "a reversible path between both states", "heat alone"];
  const questions = [
    {
      kind: "choice",
      prompt: "Which word does the lecture begin with that a student has to remember from it?",
      choices: [answer, ...others],
    },
    { kind: "short", prompt: "What is it that never falls in a closed system?", choices: [] },
    { kind: "cloze", prompt: text.replaceAll(answer, "____"), choices: [] },
  ].map((question, at) => ({
    ...shared,
    ...question,
    id: randomUUID(),
    formerId: randomUUID(),
    dueAt: `2026-11-20T08:0${at}:00.000Z`,
  }));
  await callProcedure(page, "backups.restoreQuiz", { questions });
}

test("captures a quiz before, while and after it is answered", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  for (const look of twoLooks)
    for (const width of widths) {
      const t = messages[look.language];
      const shoot = (name: string) =>
        page.screenshot({
          path: `screenshots/quiz-${name}-${look.language}-${look.theme}-${width}.png`,
        });
      await setLook(page, look);
      await setWidth(page, width);
      const id = await storeLecture(page, mixing.slice(0, 12), { title: "Entropy and mixing" });
      const next = page.getByRole("button", { name: t["quiz.next"] });
      await page.goto(`/quiz?lecture=${id}`);
      await expect(page.getByRole("button", { name: t["quiz.write"] })).toBeVisible();
      await shoot("empty");
      await storeQuestions(page, id);
      await page.reload();
      await expect(page.getByRole("article").getByRole("button").first()).toBeVisible();
      await shoot("choice");
      await page.keyboard.press("1");
      await expect(next).toBeVisible();
      await shoot("answered");
      await next.click();
      await expect(page.getByRole("textbox")).toBeVisible();
      await shoot("typed");
      await page.getByRole("textbox").fill("disorder");
      await page.keyboard.press("Enter");
      await expect(next).toBeVisible();
      await shoot("graded");
      await next.click();
      await page.getByRole("button", { name: t["quiz.dontKnow"] }).click();
      await page.getByRole("button", { name: t["quiz.countRight"] }).click();
      await shoot("gap");
      await next.click();
      await shoot("done");
      await page.goto(`/quiz`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await shoot("all");
    }
});
