import type { Page } from "@playwright/test";
import type { SharedRow, ShareServerMessage } from "#shared/share.ts";
import { findBarriers } from "./support/axe.ts";
import { messages } from "./support/interface.ts";
import { createAddress, password, signUp } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { endShare, shareLecture, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const text = messages.en;
const phone = { width: 390, height: 844 };

const sentences = [
  ["Entropy counts arrangements.", "熵计量排列的数目。"],
  ["Milk mixes into coffee.", "牛奶混入咖啡。"],
  ["It never separates again.", "它不会再分开。"],
] as const;

const pairs = sentences.map(([original, translated]) => ({ original, translated }));

const row = (page: Page, position: number) => page.locator(`[data-row="${position}"]`);
const listOriginals = (page: Page) => page.locator("[data-row] p[lang=en]").allTextContents();

async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: text["live.language"] }).click();
  await page.getByRole("option", { name }).click();
}

test("a reader sees all that was said, in each language, without a cookie or a foreign request", {
  tag: "@core",
}, async ({ visit, site }) => {
  const owner = await visit();
  await signUp(owner);
  const id = await storeLecture(owner, pairs, { title: "Entropy" });
  const path = await shareLecture(owner, id);

  const reader = await visit({ viewport: phone });
  const addresses: string[] = [];
  reader.on("request", (request) => addresses.push(request.url()));
  const answer = await reader.goto(path);
  const headers = answer?.headers() ?? {};
  expect(headers["x-robots-tag"]).toContain("noindex");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(headers["set-cookie"]).toBeUndefined();
  await expect(reader.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);

  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Entropy");
  await expect(row(reader, 2)).toContainText("separates");
  expect(await listOriginals(reader)).toEqual(sentences.map(([original]) => original));
  await chooseLanguage(reader, "Simplified Chinese");
  await expect(row(reader, 0)).toContainText("熵计量排列的数目。");
  await chooseLanguage(reader, "Spanish");
  await expect(row(reader, 2).locator("p[lang=es]")).not.toBeEmpty();
  await expect(row(reader, 0).locator("p[lang=es]")).not.toBeEmpty();

  // The choice is kept on the device.
  await reader.reload();
  await expect(row(reader, 0).locator("p[lang=es]")).not.toBeEmpty();

  expect(await reader.context().cookies()).toEqual([]);
  expect(addresses.filter((address) => new URL(address).origin !== site.url)).toEqual([]);
  // Only the document's own address has the secret.
  const code = path.slice("/live/".length);
  const revealing = addresses.filter((address) => address.includes(code));
  expect(new Set(revealing)).toEqual(new Set([site.url + path]));
});

test("a reader who joins a recording finds a text that fits on the page from its beginning, and follows a longer one from the moment the page opens", async ({
  visit,
}) => {
  const reader = await visit({ viewport: { width: 1440, height: 900 } });
  const toRow = (position: number): SharedRow => ({
    original: sentences[position % 3]?.[0] ?? "",
    position,
    spokenIn: "en",
    speaker: null,
    startMs: position * 9_000,
    endMs: position * 9_000 + 8_000,
  });
  const toTranslation = (position: number) => ({
    position,
    text: sentences[position % 3]?.[1] ?? "",
  });
  const createSnapshot = (positions: number[]) => ({
    type: "snapshot" as const,
    epoch: "00000000-0000-4000-8000-000000000000",
    seq: 1,
    language: "zh-cn" as const,
    isLanguageRefused: false,
    pagesLeft: 0,
    summary: null,
    status: "live" as const,
    isTranslationPaused: false,
    lecture: {
      title: "Entropy",
      speakerNames: {},
      mode: "while_recording" as const,
      mayCopy: false,
      sourceLanguage: "en" as const,
      targetLanguage: "zh-cn" as const,
      isTwoWay: false,
      languages: ["zh-cn" as const],
    },
    rows: positions.map(toRow),
    translations: positions.map(toTranslation),
    live: { ...saying, startMs: (positions.at(-1) ?? 0) * 9_000 + 9_000 },
  });
  const saying = {
    finalText: "Now it is",
    interimText: " grey.",
    speaker: null,
    spokenIn: "en" as const,
  };
  let positions = [0, 1, 2, 3, 4, 5];
  let send: (message: ShareServerMessage) => void = () => {};
  await reader.routeWebSocket(/\/api\/shares/, (socket) => {
    send = (message) => socket.send(JSON.stringify(message));
    send(createSnapshot(positions));
  });
  await reader.addInitScript(() => localStorage.setItem("readerLanguage", "zh-cn"));
  await reader.goto("/live/AAAAAAAAAAAAAAAAAAAAAA");
  await expect(reader.locator("[data-live-line]")).toBeInViewport();
  const page = reader.getByRole("region", { name: /^Transcript/ });
  await expect.poll(() => page.evaluate(({ scrollTop }) => scrollTop)).toBe(0);

  // The newest page first, as of a long text.
  const half = Array.from({ length: 120 }, (_, index) => index);
  positions = half.map((index) => index + 120);
  for (const viewport of [phone, { width: 1440, height: 900 }]) {
    await reader.setViewportSize(viewport);
    await reader.goto("/live/AAAAAAAAAAAAAAAAAAAAAA");
    const line = reader.locator("[data-live-line]");
    await expect(line).toBeInViewport();
    send({
      type: "delta",
      from: 1,
      to: 2,
      rows: half.map(toRow),
      translations: half.map(toTranslation),
    });
    await expect(row(reader, 239)).toBeInViewport();
    await expect(line).toBeInViewport();
    const next = { position: 240, live: { ...saying, startMs: 241 * 9_000 } };
    const rows = [toRow(next.position)];
    send({ type: "delta", from: 2, to: 3, rows, live: next.live });
    await expect(row(reader, 240)).toBeInViewport();
    send({ type: "delta", from: 3, to: 4, translations: [toTranslation(240)] });
    await expect(row(reader, 240)).toContainText("熵");
    await expect(line).toBeInViewport();
    await expect(reader.getByRole("button", { name: text["reading.backToLive"] })).toBeHidden();
  }
});

// `share-connection.test.ts`, `shared-lecture.test.ts` and `sharing/share-room.test.ts` hold it every time.
test("a reader has only its own controls, by keyboard too, and learns at once that sharing has ended", {
  tag: "@nightly",
}, async ({ visit }) => {
  const owner = await visit();
  await signUp(owner);
  const id = await storeLecture(owner, pairs, { title: "Entropy" });
  const reader = await visit({ viewport: phone });
  await reader.goto(await shareLecture(owner, id, { mayCopy: false }));
  await expect(row(reader, 2)).toBeVisible();

  await row(reader, 0).focus();
  for (const key of ["Enter", "F2", "m", "n"]) await reader.keyboard.press(key);
  await expect(reader.locator("textarea, [role=dialog]")).toHaveCount(0);
  await reader.keyboard.press("ArrowDown");
  await expect(row(reader, 1)).toBeFocused();
  const actions = reader.getByRole("button", { name: text["live.actions"] });
  await actions.click();
  await expect(reader.getByRole("menuitem")).toHaveText([text["live.find"], text["theme.toDark"]]);
  await reader.getByRole("menuitem").first().click();
  await reader.getByRole("textbox", { name: text["find.label"] }).fill("coffee");
  await expect(reader.getByText("1 of 1")).toBeVisible();
  await reader.keyboard.press("Escape");
  expect(await findBarriers(reader)).toEqual([]);

  await callProcedure(owner, "shares.change", { lectureId: id, mayCopy: true });
  await actions.click();
  await expect(reader.getByRole("menuitem", { name: text["live.copy"] })).toBeVisible();
  const download = reader.waitForEvent("download");
  await reader.getByRole("menuitem", { name: text["live.saveSubtitles"] }).click();
  expect((await download).suggestedFilename()).toBe("Entropy.srt");

  await endShare(owner, id);
  await expect(reader.getByText(text["live.endedKept"])).toBeVisible({ timeout: 1_000 });
  await expect(row(reader, 2)).toBeVisible();

  await reader.reload();
  await expect(reader.getByRole("heading", { name: text["live.ended"] })).toBeVisible();
  await expect(reader.locator("[data-row]")).toHaveCount(0);
  await reader.goto("/live/AAAAAAAAAAAAAAAAAAAAAA");
  await expect(reader.getByRole("heading", { name: text["live.unknown"] })).toBeVisible();
  expect(await findBarriers(reader)).toEqual([]);
});

test("a reader who signs in keeps a copy, in the language that was read", {
  tag: "@nightly",
}, async ({ visit }) => {
  const owner = await visit();
  await signUp(owner);
  const id = await storeLecture(owner, pairs, { title: "Entropy" });
  const path = await shareLecture(owner, id);
  const reader = await visit();
  await reader.goto(path);
  await chooseLanguage(reader, "Simplified Chinese");
  await expect(row(reader, 0)).toContainText("熵计量排列的数目。");
  const opened = reader.context().waitForEvent("page");
  await reader.getByRole("button", { name: text["live.actions"] }).click();
  await reader.getByRole("menuitem", { name: text["live.keep"] }).click();
  const application = await opened;
  await expect(application).toHaveURL("/auth?redirect=%2Fkeep");
  await application.getByRole("tab", { name: text["auth.signUp"] }).click();
  await application.getByLabel(text["auth.email"]).fill(createAddress());
  await application.getByLabel(text["auth.password"], { exact: true }).fill(password);
  await application.getByLabel(text["auth.confirmPassword"]).fill(password);
  await application.getByRole("button", { name: text["auth.createAccount"] }).click();
  await expect(application).toHaveURL(/\/record\?lecture=/);
  await expect(application.getByRole("textbox", { name: text["record.name"] })).toHaveValue(
    "Entropy",
  );
  await expect(row(application, 2)).toContainText("它不会再分开。");
});
