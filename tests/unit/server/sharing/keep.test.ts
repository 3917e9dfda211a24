import { expect, test } from "vitest";
import { sha256 } from "#server/auth/secrets.ts";
import { appendEntries } from "#server/lectures/append.ts";
import { createLecture, readLecture } from "#server/lectures/queries.ts";
import { keepSharedLecture } from "#server/sharing/keep.ts";
import { replaceShare, writeShareTranslation } from "#server/sharing/queries.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";
import { untranslatableFragment } from "#shared/words.ts";
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
  const entries = rows.map(([spokenIn, original, translated, into], at) => ({
    original,
    spokenIn,
    translated,
    translatedInto: into === "none" ? null : into,
    translatedByHand: false,
    speaker: null,
    startMs: at,
    endMs: at,
    revision: 1,
  }));
  await appendEntries(db, { userId, lectureId, from: 0, entries, now });
  const codeHash = sha256(lectureId);
  const share = { userId, lectureId, codeHash, mode: "until_revoked", mayCopy: true, now } as const;
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
  return {
    pair: { sourceLanguage, targetLanguage, isTwoWay },
    rows: copy.entries.map(({ spokenIn, translated, translatedInto, revision }) => [
      spokenIn,
      translated,
      translatedInto,
      revision,
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
      ["de", "Good day.", "en", 1],
      ["en", "Hallo.", "de", 1],
      ["de", "", null, 0],
    ],
  });
});

test("in another language, it has the readers' translations and goes one way", async () => {
  expect(await keep(twoWay, rows, "fr")).toEqual({
    pair: { sourceLanguage: "de", targetLanguage: "fr", isTwoWay: false },
    rows: [
      ["de", "Français", "fr", 1],
      ["en", "", null, 0],
      ["de", "", null, 0],
    ],
  });
});

test("what the model could not translate has no translation in a copy", async () => {
  const shared = await share(twoWay, rows, untranslatableFragment);
  expect((await keepShared(shared, "fr")).rows[0]).toEqual(["de", "", null, 0]);
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
          const waits = kept.rows.map(([, , , revision]) => revision === 0);
          expect(waits).toEqual(
            spoken.map((one) => getTranslationLanguage(kept.pair, one) !== null),
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
      ["zh", "", null, 1],
      ["ko", "", null, 0],
    ],
  });
});
