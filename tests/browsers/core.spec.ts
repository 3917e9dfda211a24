import { createAddress, createSpeech, password } from "#tests/e2e/support/journey.ts";
import { toDemoTranslation } from "#tests/e2e/support/transcript.ts";
import { keys } from "./support/driver.ts";
import {
  button,
  controls,
  dialog,
  field,
  heading,
  installSound,
  link,
  row,
  waitForRows,
  waitUntilSaved,
} from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

/** The main ways through the product. */

test("signs up, records, saves, finds, corrects and shares, much of it by keyboard", async ({
  tab: page,
}) => {
  const fixture = createSpeech({ wordsPerSentence: 5, sentencesPerSpeaker: 0, to: 15 });
  const rows = fixture.sentences.map(({ text }) => ({
    original: text,
    translated: toDemoTranslation(text),
  }));

  await test.step("signs up", async () => {
    await page.goto("/auth");
    await page.click(button("Create Account"));
    await page.fill(field("Email"), createAddress());
    await page.fill(field("Password"), password);
    await page.fill(field("Confirm password"), password);
    await page.press(keys.enter);
    await page.waitFor(heading("Your Lectures"));
    expect(await page.findBarriers(), "home").toEqual([]);
  });

  await test.step("records", async () => {
    await page.goto("/record");
    await page.waitFor(button("Record", controls));
    await installSound(page, fixture);
    await page.walkTo("Record");
    await page.press(keys.enter);
    await page.waitFor({ text: "Recording...", css: "p, span" });
    await page.waitFor(
      { ...row(rows.length - 1), text: fixture.sentences.at(-1)?.text ?? "" },
      fixture.durationMs + 60_000,
    );
    expect(await page.findBarriers(), "recording").toEqual([]);
    await page.walkTo("Stop");
    await page.press(keys.enter);
    await page.waitFor(button("Save", controls));
    await waitForRows(page, rows);
  });

  await test.step("saves", async () => {
    await page.click(button("Save", controls));
    const form = dialog("Save Lecture");
    await page.fill(field("Lecture name", form), "Counting aloud");
    expect(await page.findBarriers(), "the form").toEqual([]);
    await page.press(keys.enter);
    await page.waitUntilGone(form);
    await page.waitFor({ text: "Finished", css: "p, span" });
    await waitForRows(page, rows);
  });

  await test.step("finds it again", async () => {
    await page.goto("/");
    await page.waitFor(link("Counting aloud"));
    await page.fill(field("Search lectures"), "eleven");
    await page.waitFor({ css: "mark", text: "eleven" });
    await page.click(link("Counting aloud"));
    await waitForRows(page, rows);
    // The sentence takes the focus.
    await page.waitFor({ css: "[data-hit]" });
  });

  await test.step("corrects it", async () => {
    await page.focus(row(0));
    await page.press(keys.enter);
    await page.waitFor({ css: "textarea" });
    await page.type("Not what was said.");
    await page.driver.press([keys.enter], keys.control);
    await page.waitFor(row(0, "Not what was said."));
    await waitUntilSaved(page);
    await page.driver.reload();
    await page.waitFor(row(0, "Not what was said."));
  });

  await test.step("is asked what was said in it", async () => {
    await page.goto("/quiz");
    await page.click(button("Write questions"));
    // A choice, or "I do not know".
    const choice = "article ol li:first-child > button:not([disabled])";
    const answer = { css: `${choice}, article form button[type=button]` };
    await page.waitFor(answer);
    expect(await page.findBarriers(), "a question").toEqual([]);
    await page.click(answer);
    await page.waitFor(button("Next"));
    await page.press(keys.enter);
    await page.click(answer);
    await page.click({ css: "article ul li:first-child > button" });
    await page.waitFor({ css: "[data-hit]" });
  });

  await test.step("shares it, and somebody else reads it", async () => {
    await page.click(button("Share"));
    const address = field("Link for readers");
    await page.waitFor(address);
    const path = new URL(await page.readValue(address)).pathname;
    expect(path).toMatch(/^\/live\/[\w-]{22}$/);
    await page.driver.deleteCookies();
    await page.goto(path);
    await page.waitFor(row(0, "Not what was said."));
    await page.waitFor(row(1, rows[1]?.original));
    expect(await page.findBarriers(), "the readers' page").toEqual([]);
  });
});
