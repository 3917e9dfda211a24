import type { Page } from "@playwright/test";
import { createVoice } from "#tests/fixtures/voice.ts";
import { getButton, getHeading, runSql } from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "./support/kept-sound.ts";
import { getPart, openPart } from "./support/lecture-parts.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const sound = encodeKeptSound(createVoice(30_000, 16_000));

/** Sentences of a lecture, 5 s each. */
const say = (...sentences: string[]) =>
  sentences.map((original, at) => ({
    original,
    translated: "",
    startMs: at * 5_000,
    endMs: at * 5_000 + 4_500,
  }));
const light = say(
  "Good morning, and welcome back to our course.",
  "The refractive index of glass is one point five.",
  "Snell's law connects both angles.",
  "The refractive index of water is lower.",
  "A prism spreads white light into colours.",
  "That is all for today.",
);

const getRow = (page: Page, position: number) => page.locator(`[data-row="${position}"]`);
const getField = (page: Page) => page.getByRole("textbox", { name: "Your question" });
const getAnswer = (page: Page, question: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: question }) });

async function ask(page: Page, question: string) {
  await getField(page).fill(question);
  await getField(page).press("Enter");
  await expect(getField(page)).toHaveValue("");
  await expect(getButton(page, "Stop the answer")).toBeHidden();
}

test("answers questions about a lecture, follows them up, and plays what they name", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await keepSound(page);
  await signUp(page);
  const id = await storeLecture(page, light, { title: "Light", targetLanguage: "none" });
  await page.goto(`/record?lecture=${id}`);
  await expect(getRow(page, 0)).toBeVisible();
  await expect
    .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
    .toContain("dualect-takes");
  await storeKeptSound(page, id, sound);
  await page.reload();
  await expect(page.getByRole("slider", { name: "Position in the sound" })).toBeVisible();

  await page.keyboard.press("a");
  await expect(getField(page)).toBeFocused();
  await expect(getPart(page, "Ask")).toContainText("You could ask");
  await ask(page, "What is the refractive index of glass?");
  const first = getAnswer(page, "What is the refractive index of glass?");
  await first.getByRole("button", { name: /^Open 0:05: The refractive index of glass/ }).click();
  await expect(getRow(page, 1)).toBeFocused();
  await expect(getRow(page, 1)).toHaveAttribute("data-hit", "");
  await first.getByRole("button", { name: "Play from 0:05" }).click();
  await expect(getRow(page, 1)).toHaveAttribute("aria-current", "true");
  await getButton(page, "Pause the sound").click();

  await expect(getPart(page, "Ask")).toContainText("Follow-up question");
  await ask(page, "And the index of water?");
  const second = getAnswer(page, "And the index of water?");
  await expect(second.getByLabel("Follow-up question")).toBeVisible();
  await expect(second.getByRole("button", { name: /^Open 0:15/ })).toBeVisible();
  await getButton(page, "New question").click();
  await ask(page, "Who paints the ceiling of the chapel?");
  await expect(getAnswer(page, "Who paints the ceiling")).toContainText(
    "Not said in this lecture.",
  );
  await getButton(page, "Key points").click();
  await expect(getAnswer(page, "Key points").getByRole("listitem").first()).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);

  const other = await page.context().newPage();
  await other.goto(`/record?lecture=${id}`);
  await openPart(other, "Ask");
  await expect(other.getByRole("article")).toHaveCount(4);
  await getButton(page, "Delete the question “Key points”").click();
  await expect(other.getByRole("article")).toHaveCount(3);
  await getButton(other, "Delete all questions").click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("article")).toHaveCount(0);
});

// `ask-sheet.test.tsx`, `ask/ask.test.ts` and `model-budget.test.ts` hold it every time.
test("asks a folder on a phone, and keeps questions that are not answered", {
  tag: "@nightly",
}, async ({ visit, site, expectConsoleErrors }) => {
  expectConsoleErrors(/status of (429|50[23])|ERR_INTERNET_DISCONNECTED/);
  const page = await visit({ viewport: { width: 390, height: 844 } });
  const email = await signUp(page);
  const folder = await storeFolder(page, "Physics");
  const lectures = { Light: light, Heat: heat, Waves: waves };
  for (const [title, sentences] of Object.entries(lectures)) {
    const id = await storeLecture(page, sentences, { title, targetLanguage: "none" });
    await callProcedure(page, "lectures.move", { id, folderId: folder });
  }
  await page.goto(`/ask?folder=${folder}`);
  await expect(page.getByRole("combobox", { name: "Where to look" })).toHaveText("Physics");
  await ask(page, "What did the experiment with pendulum measure?");
  const answer = getAnswer(page, "What did the experiment with pendulum measure?");
  for (const title of ["Heat", "Waves"])
    await expect(
      answer.getByRole("button", { name: new RegExp(`^Open “${title}”`) }).first(),
    ).toBeVisible();
  await answer.getByRole("button", { name: /^Open “Waves” at 0:10/ }).click();
  await expect(getRow(page, 2)).toBeFocused();
  await expect(page).toHaveTitle(/^Waves/);
  await page.goBack();
  await expect(answer).toBeInViewport();
  expect(await findBarriers(page)).toEqual([]);

  await page.context().setOffline(true);
  await getField(page).fill("Where does sound go?");
  await expect(page.getByText("You are offline. Your question stays here")).toBeVisible();
  await expect(getButton(page, "Ask")).toBeDisabled();
  await page.context().setOffline(false);
  await expect(getField(page)).toHaveValue("Where does sound go?");

  const question = "Which experiments with the pendulum measured?";
  await site.control("llm", { fail: "cut", match: "pendulum of brass", count: 9 });
  await getField(page).fill(question);
  await getField(page).press("Enter");
  const broken = getAnswer(page, question);
  await expect(broken.getByRole("alert")).toContainText("The language model does not answer.");
  await expect(broken.getByRole("alert")).toContainText("The answer broke off here.");
  await site.control("llm", { reset: true });
  await broken.getByRole("button", { name: "Ask again" }).click();
  await expect(broken.getByRole("alert")).toBeHidden();
  await expect(broken.getByRole("button", { name: /^Open “Heat”/ }).first()).toBeVisible();
  // Until then Enter asks nothing.
  await expect(getButton(page, "Stop the answer")).toBeHidden();

  await runSql(
    site,
    `insert into daily_counters (day, key, amount)
     select (now() at time zone 'utc')::date, 'model:user:' || id, 1000000000 from users where email = $1
     on conflict (day, key) do update set amount = excluded.amount`,
    [email],
  );
  await getField(page).fill("What is heat?");
  await getField(page).press("Enter");
  const refused = getAnswer(page, "What is heat?").getByRole("alert");
  await expect(refused).toContainText("Today's allowance of the language model is used up.");
  await expect(refused).toContainText(/It is back in \d+ hours?\./);
  await expect(getHeading(page, "What is heat?")).toBeVisible();
});

const heat = say(
  "Heat is energy that moves.",
  "The experiment with the pendulum measured the heat of friction.",
  "Another experiment measured heat with a pendulum of brass.",
);
const waves = say(
  "Waves carry energy.",
  "Sound is a wave in air.",
  "The experiment with the pendulum measured the period of a wave.",
);
