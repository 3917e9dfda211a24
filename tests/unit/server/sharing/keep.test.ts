import { expect, test } from "vitest";
import { sha256 } from "#server/auth/secrets.ts";
import { createLecture, readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { keepSharedLecture } from "#server/sharing/keep.ts";
import { replaceShare, writeShareTranslation } from "#server/sharing/queries.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";
import { untranslatableFragment } from "#shared/words.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date();

type Row = [spokenIn: SpokenLanguage, original: string, translated: string, into: TargetLanguage];

/** Shares a lecture of the rows. Returns what its readers name it by. */
async function share(pair: LanguagePair, rows: Row[], translated = "Français"): Promise<string> {
  const db = database();
  const { id: userId } = await addUser(db);
  const lectureId = crypto.randomUUID();
  await createLecture(db, { userId, id: lectureId, title: "Title", ...pair, now });
  const entries = rows.map(([spokenIn, original, translated, into], at) => {
    const translatedInto = into === "none" ? null : into;
    return createEntry(original, at, { spokenIn, translated, translatedInto, endMs: at });
  });
  await saveRows(db, { userId, lectureId, entries: numberRows(entries), deleted: [], now });
  const codeHash = sha256(lectureId);
  const settings = { mode: "until_revoked", mayCopy: true, showsSlides: false } as const;
  const share = { userId, lectureId, codeHash, ...settings, now };
  const shared = await replaceShare(db, share);
  await writeShareTranslation(db, shared?.created.id ?? "", {
    startMs: 0,
    original: rows[0]?.[1] ?? "",
    language: "fr",
    translated,
  });
  return codeHash;
}

/** What a reader keeps in `language` of the shared lecture. */
async function keepShared(codeHash: string, language: TargetLanguage) {
  const db = database();
  const { id: readerId } = await addUser(db);
  const id = crypto.randomUUID();
  await keepSharedLecture(db, { userId: readerId, id, codeHash, language, now });
  const copy = await readLecture(db, { userId: readerId, id, from: 0, maxBytes: 1e6 });
  if (!copy) throw new Error("not kept");
  const { sourceLanguage, targetLanguage, isTwoWay } = copy;
  expect(new Set(copy.entries.map(({ id }) => id)).size).toBe(copy.entries.length);
  return {
    pair: { sourceLanguage, targetLanguage, isTwoWay },
    /** A row that waits for a translation has no text and the language of the translation. */
    rows: copy.entries.map(({ spokenIn, translated, translatedInto }) => [
      spokenIn,
      translated,
      translatedInto,
    ]),
  };
}

const keep = async (pair: LanguagePair, rows: Row[], language: TargetLanguage) =>
  keepShared(await share(pair, rows), language);

const rows: Row[] = [
  ["de", "Guten Tag.", "Good day.", "en"],
  ["en", "Hello.", "Hallo.", "de"],
  ["de", "Und jetzt?", "", "en"],
];
const twoWay: LanguagePair = { sourceLanguage: "de", targetLanguage: "en", isTwoWay: true };

test("a copy of a two-way lecture in its second language has both directions", async () => {
  expect(await keep(twoWay, rows, "en")).toEqual({
    pair: twoWay,
    rows: [
      ["de", "Good day.", "en"],
      ["en", "Hallo.", "de"],
      ["de", "", "en"],
    ],
  });
});

test("in another language, it has the readers' translations and goes one way", async () => {
  expect(await keep(twoWay, rows, "fr")).toEqual({
    pair: { sourceLanguage: "de", targetLanguage: "fr", isTwoWay: false },
    rows: [
      ["de", "Français", "fr"],
      ["en", "", "fr"],
      ["de", "", "fr"],
    ],
  });
});

test("what the model could not translate has no translation in a copy", async () => {
  const shared = await share(twoWay, rows, untranslatableFragment);
  expect((await keepShared(shared, "fr")).rows[0]).toEqual(["de", "", "fr"]);
});

test("what waits for a translation is what the pair of the copy translates", async () => {
  const spoken = ["en", "de", "zh", "ja"] as const;
  const untranslated = spoken.map((language): Row => [language, "-", "", "none"]);
  for (const sourceLanguage of ["en", "zh", "detect"] as const)
    for (const targetLanguage of ["zh", "zh-cn", "en"] as const)
      for (const isTwoWay of [true, false]) {
        const shared = await share({ sourceLanguage, targetLanguage, isTwoWay }, untranslated);
        for (const language of ["zh", "zh-cn", "en", "none"] as const) {
          const kept = await keepShared(shared, language);
          expect(kept.rows.map(([, , waitsFor]) => waitsFor)).toEqual(
            spoken.map((one) => getTranslationLanguage(kept.pair, one)),
          );
        }
      }
});

test("no translation is missing of rows that were spoken in the reader's language", async () => {
  const pair: LanguagePair = { sourceLanguage: "detect", targetLanguage: "ja", isTwoWay: false };
  const spoken: Row[] = [
    ["zh", "你好。", "こんにちは。", "ja"],
    ["ko", "안녕하세요.", "", "ja"],
  ];
  expect(await keep(pair, spoken, "zh-cn")).toEqual({
    pair: { ...pair, targetLanguage: "zh-cn" },
    rows: [
      ["zh", "", null],
      ["ko", "", "zh-cn"],
    ],
  });
});
