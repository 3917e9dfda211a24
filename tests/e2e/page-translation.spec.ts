import { messages } from "./support/interface.ts";
import {
  chooseLanguage,
  createSpeech,
  openRecordingSettings,
  record,
  save,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { installMicrophone } from "./support/microphone.ts";
import { translatePages } from "./support/page-translation.ts";
import { shareLecture, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** A browser or an extension translates the page, while it is used. Exceptions fail the tests. */

for (const kind of ["replaced", "wrapped"] as const)
  test(`records while all texts of the page are ${kind}, and says what its buttons do`, {
    tag: "@nightly",
  }, async ({ visit }) => {
    const fixture = createSpeech({ to: 24, wordsPerSentence: 4, sentencesPerSpeaker: 0 });
    const page = await visit();
    await translatePages(page.context(), kind);
    await installMicrophone(page.context(), fixture);
    await signUp(page, "/record");
    const controls = page.getByRole("region", { name: "Recording controls" });
    const names = () => controls.getByRole("button").allInnerTexts();
    await expect(controls.locator("font").first()).toBeVisible();
    await expect.poll(names).toContainEqual(expect.stringMatching(/^Record/));
    await record(page);
    await expect.poll(names).toContainEqual(expect.stringMatching(/^Stop/));
    expect((await names()).filter((name) => name.startsWith("Record"))).toEqual([]);

    const [first, second] = fixture.sentences;
    await expect(
      getTranscript(page)
        .getByText(first?.text ?? "")
        .first(),
    ).toBeVisible();
    await chooseLanguage(page, "Target language", "Spanish");
    await expect(
      getTranscript(page)
        .getByText(second?.text ?? "")
        .first(),
    ).toBeVisible();
    const settings = await openRecordingSettings(page);
    await expect(settings).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(settings).toBeHidden();
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(
      getTranscript(page)
        .getByText(fixture.sentences.at(-1)?.text ?? "")
        .first(),
    ).toBeVisible();

    await stopRecording(page);
    await expect.poll(names).toContainEqual(expect.stringMatching(/^Continue/));
    expect((await names()).filter((name) => /^(Stop|Record)/.test(name))).toEqual([]);
    // What was said is not translated, and is whole.
    await expect(page.locator("[data-row] p[lang] font")).toHaveCount(0);
    await expect
      .poll(async () => (await readRows(getTranscript(page))).map(({ original }) => original))
      .toEqual(fixture.sentences.map(({ text }) => text));
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Save Lecture" });
    await dialog.getByRole("textbox", { name: "Lecture name" }).fill("Numbers");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(
      page.getByRole("main").getByRole("button", { name: "Continue recording" }),
    ).toBeVisible();
  });

for (const [kind, tags] of [
  ["replaced", ["@nightly"]],
  ["wrapped", []],
] as const)
  test(`a reader's page goes on while all its texts are ${kind}`, {
    tag: [...tags],
  }, async ({ visit }) => {
    const text = messages.en;
    const owner = await visit();
    await signUp(owner);
    const id = await storeLecture(
      owner,
      [{ original: "Milk mixes into coffee.", translated: "牛奶混入咖啡。" }],
      { title: "Entropy" },
    );
    const path = await shareLecture(owner, id);
    const reader = await visit();
    await translatePages(reader.context(), kind);
    await reader.goto(path);
    const row = reader.locator("[data-row='0']");
    await expect(row).toContainText("Milk mixes into coffee.");
    await expect(reader.locator("h1 font").first()).toBeVisible();
    for (const [name, said] of [
      ["Simplified Chinese", "牛奶混入咖啡。"],
      [text["live.original"], "Milk mixes into coffee."],
      ["Simplified Chinese", "牛奶混入咖啡。"],
    ] as const) {
      await reader.getByRole("combobox", { name: text["live.language"] }).click();
      await reader.getByRole("option", { name }).click();
      await expect(row).toContainText(said);
    }
    await expect(reader.locator("[data-row] p[lang] font")).toHaveCount(0);
    await callProcedure(owner, "lectures.rename", { id, title: "Disorder" });
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Disorder");
  });
