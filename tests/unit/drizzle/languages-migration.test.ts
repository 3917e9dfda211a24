import { describe, expect, it } from "vitest";
import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { toText } from "#client/features/export/files/text.ts";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { readLectureText } from "#server/lectures/lecture-text.ts";
import { listLectures } from "#server/lectures/list.ts";
import { changeLecture, readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { readMarkedSentences } from "#server/marks/marked-sentences.ts";
import { getUserTag } from "#server/search/lexemes.ts";
import { searchLectures } from "#server/search/search.ts";
import { keepSharedLecture } from "#server/sharing/keep.ts";
import { readShareTranslations } from "#server/sharing/queries.ts";
import { hashSentence } from "#server/sharing/sentence.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import {
  appendFormerly,
  type FormerEntry,
  migrateUpTo,
  purgeTranslationsFormerly,
  readFormerly,
  readTranslationsFormerly,
  writeTranslationFormerly,
} from "#tests/fixtures/former-schema.ts";
import { fileLabels } from "#tests/unit/client/features/export/sample-lectures.ts";
import { backends } from "#tests/unit/local/postgres/backends.ts";
import { createDatabase } from "#tests/unit/server/support/production-driver.ts";

const clock = { now: () => new Date() };
const now = clock.now();
const userId = crypto.randomUUID();
const readerId = crypto.randomUUID();
// Its passage is not of the search's sample.
const spoken = `${crypto.randomUUID().slice(0, -2)}01`;
const written = crypto.randomUUID();
const codeHash = "hash of the link";

const sentences = [
  "The curves rise by three percent.",
  "Nobody knows why.",
  "",
  "A fox’s den — “quoted” \\ text.",
];
const entry = (english: string, at: number, change: Partial<FormerEntry> = {}): FormerEntry => ({
  english,
  translated: english && `译文${at}。`,
  translated_into: null,
  translated_by_hand: false,
  speaker: at % 2 ? "1" : null,
  start_ms: at * 1_000,
  end_ms: at * 1_000 + 900,
  revision: 1,
  ...change,
});
/** Three passages. */
const entries = Array.from({ length: 70 }, (_, at) =>
  entry(`${sentences[at % 4]}${at % 4 === 2 ? "" : ` ${at}`}`, at),
);

async function fill(backend: SqlBackend): Promise<void> {
  const run = (query: string, ...params: string[]) => backend.run({ query, params });
  for (const id of [userId, readerId])
    await run(
      `insert into users (id, email, password_hash) values ($1::uuid, $1::text || '@example.org', 'x')`,
      id,
    );
  await run(
    `insert into lectures (id, user_id, title, target_language, status, original_text, translated_text) values
      ($1, $3, 'Thermodynamics', 'zh-cn', 'completed', '', ''),
      ($2, $3, 'Old notes', 'fr', 'completed', E'Light bends.\\nAnd it slows.', E'La lumière dévie.\\nElle ralentit.')`,
    ...[spoken, written, userId],
  );
  await appendFormerly(backend, spoken, { from: 0, entries });
  await run(
    `insert into marks (lecture_id, id, at_ms, note) values ($1::uuid, gen_random_uuid(), 1500, 'ask the tutor')`,
    spoken,
  );
  await run(
    `insert into shares (lecture_id, user_id, code_hash, mode, may_copy) values ($1, $2, $3, 'until_revoked', true)`,
    ...[spoken, userId, codeHash],
  );
  await writeTranslationFormerly(backend, spoken, {
    startMs: 0,
    hash: hashSentence({ startMs: 0, original: entries[0]?.english ?? "" }),
    translated: "Les courbes montent.",
  });
  // The words of the first passage, in the form in which that version indexed them; the others wait.
  await run(
    `insert into search_passages (lecture_id, passage, user_id, words)
      select $1::uuid, 0, $2::uuid, array_to_tsvector(array(
        select $3::text || lexeme from unnest(tsvector_to_array(to_tsvector('english', $4::text))) as lexeme))`,
    ...[spoken, userId, getUserTag(userId)],
    entries.map(({ english }) => english).join(" "),
  );
  await run("delete from search_queue where lecture_id = $1 and passage = 0", spoken);
}

const last = backends.at(-1);
if (!last) throw new Error("no database");

describe(`the database of the version before (${last.name})`, () => {
  const kept = `select (select json_agg(queue order by lecture_id, passage) from search_queue queue),
    (select json_agg(passage order by lecture_id, passage) from search_passages passage),
    (select json_agg(storage order by user_id) from user_storage storage),
    (select json_agg(json_build_array(id, entry_bytes, bytes, preview, updated_at) order by id) from lectures)`;
  let before: (string | null)[][] = [];
  const getDatabase = createDatabase(async () => {
    const backend = await last.open();
    await migrateUpTo(backend, 19);
    await fill(backend);
    before = (await backend.run({ query: kept, params: [] })).rows;
    return backend;
  });
  const read = async (id: string) => {
    const page = await readLecture(getDatabase().db, { userId, id, from: 0, maxBytes: 1e6 });
    if (!page) throw new Error("no such lecture");
    return page;
  };
  const search = async (query: string) => {
    const found = await searchLectures(getDatabase().db, { userId, query, cursor: null, clock });
    return found.results.map(({ lectureId, hit }) => ({ lectureId, hit }));
  };

  it("is changed in names alone: quotas, words and what is to be indexed stay", async () => {
    const { backend } = getDatabase();
    expect((await backend.run({ query: kept, params: [] })).rows).toEqual(before);
    expect(await migrateDatabase(backend.batch)).toBe(0);
  });

  it("opens as before", async () => {
    const page = await read(spoken);
    expect(page).toMatchObject({ sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false });
    expect(page.entries).toEqual(
      entries.map(({ english, translated, speaker, start_ms, end_ms }, ordinal) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        seq: 0,
        ordinal,
        original: english,
        originalByHand: false,
        spokenIn: "en",
        translated,
        translatedInto: null,
        translatedByHand: false,
        speaker,
        startMs: start_ms,
        endMs: end_ms,
      })),
    );
    expect(page.excerpt).toMatch(/^The curves rise/);
    const { items } = await listLectures(getDatabase().db, { userId, cursor: null });
    expect(items.map(({ sourceLanguage }) => sourceLanguage)).toEqual(["en", "en"]);
    const text = await readLectureText(
      getDatabase().db,
      { userId, id: written },
      { maxLength: 100 },
    );
    expect(text).toMatchObject({ text: "Light bends.\nAnd it slows.", spokenIn: "en" });
    const marked = await readMarkedSentences(getDatabase().db, { userId, id: spoken });
    expect(marked).toEqual([{ sentence: "Nobody knows why. 1", note: "ask the tutor" }]);
  });

  it("is found as before", async () => {
    expect((await search("curve rising"))[0]).toMatchObject({
      lectureId: spoken,
      hit: { kind: "entry", position: 0 },
    });
    expect((await search("译文69"))[0]).toMatchObject({ hit: { kind: "entry", position: 69 } });
    expect((await search("lumières"))[0]).toMatchObject({ lectureId: written });
    expect((await search("tutors"))[0]).toMatchObject({ hit: { kind: "note" } });
  });

  it("exports as before", async () => {
    const lecture = { ...(await read(spoken)), marks: [], takes: [] };
    const text = toText(toExportedLecture(lecture, "Untitled"), "both", fileLabels);
    expect(text).toContain("The curves rise by three percent. 0\n译文0。\n");
    expect(text).toContain("A fox’s den — “quoted” \\ text. 67\n译文67。\n");
  });

  it("gives a reader's copy the translations that the version before has stored", async () => {
    const { db } = getDatabase();
    const owner = { userId, lectureId: spoken };
    expect([...(await readShareTranslations(db, owner, "fr")).values()]).toEqual([
      "Les courbes montent.",
    ]);
    const id = crypto.randomUUID();
    await keepSharedLecture(db, { userId: readerId, id, codeHash, language: "fr", now });
    const copy = await readLecture(db, { userId: readerId, id, from: 0, maxBytes: 1e6 });
    expect(copy?.entries.slice(0, 2)).toMatchObject([
      { original: entries[0]?.english, spokenIn: "en", translated: "Les courbes montent." },
      { original: entries[1]?.english, translated: "" },
    ]);
  });

  it("can be changed as before", async () => {
    const { db } = getDatabase();
    const [first] = (await read(spoken)).entries;
    if (!first) throw new Error("no rows");
    const corrected = { ...first, original: "The graphs rise." };
    await saveRows(db, { userId, lectureId: spoken, entries: [corrected], deleted: [], now });
    await changeLecture(db, { userId, id: spoken }, { title: "Heat", updatedAt: now });
    expect((await read(spoken)).entries[0]).toEqual({ ...corrected, seq: 1 });
    expect((await search("graph"))[0]).toMatchObject({ lectureId: spoken });
    expect(await search("three percent 0")).not.toContainEqual({ hit: { position: 0 } });
  });
});

describe("the version before, until it is replaced and after a roll-back", () => {
  const getDatabase = createDatabase(async () => {
    const backend = await last.open();
    await migrateUpTo(backend, 19);
    await fill(backend);
    // The names exist, and the text is not copied yet.
    await migrateUpTo(backend, 20);
    await appendFormerly(backend, spoken, {
      from: 2,
      entries: [entry("It came late.", 2, { revision: 2 })],
    });
    await appendFormerly(backend, spoken, {
      from: 1,
      insert: true,
      entries: [entry("Inserted.", 0.5)],
    });
    await appendFormerly(backend, spoken, { from: 71, entries: [entry("The newest.", 71)] });
    return backend;
  });
  const readBoth = async () => {
    const { db, backend } = getDatabase();
    const page = await readLecture(db, { userId, id: spoken, from: 0, maxBytes: 1e6 });
    const formerly = await readFormerly(backend, spoken);
    const texts = page?.entries.map(({ original }) => original) ?? [];
    expect(texts).toEqual(formerly.map(([, english]) => english));
    return texts;
  };

  it("writes while the text is copied, and nothing is lost", async () => {
    const texts = await readBoth();
    expect(texts).toHaveLength(72);
    expect(texts.slice(0, 4)).toEqual([
      entries[0]?.english,
      "Inserted.",
      entries[1]?.english,
      "It came late.",
    ]);
    expect(texts.at(-1)).toBe("The newest.");
  });

  it("reads what the new version writes, and the new one what it writes", async () => {
    const { db, backend } = getDatabase();
    const german = createEntry("Guten Tag.", 80_000, {
      ordinal: 72,
      spokenIn: "de",
      translated: "Good day.",
      endMs: 90_000,
    });
    await saveRows(db, { userId, lectureId: spoken, entries: [german], deleted: [], now });
    expect((await readFormerly(backend, spoken)).at(-1)).toEqual(["72", "Guten Tag.", "Good day."]);
    await appendFormerly(backend, spoken, {
      from: 72,
      entries: [entry("Guten Abend.", 80, { revision: 3 })],
    });
    await appendFormerly(backend, spoken, { from: 5, entries: [entry("", 5, { revision: 9 })] });
    await appendFormerly(backend, spoken, {
      from: 71,
      insert: true,
      entries: [entry("Once more.", 69.5)],
    });
    const texts = await readBoth();
    expect(texts.at(-1)).toBe("Guten Abend.");
    expect(texts[5]).toBe("");
    expect(texts).toContain("Once more.");
  });

  it("queues what it writes for the search", async () => {
    const found = await searchLectures(getDatabase().db, {
      userId,
      query: "newest",
      cursor: null,
      clock,
    });
    expect(found.results).toHaveLength(1);
  });

  it("keeps its translations for readers where the new version has them", async () => {
    const { db, backend } = getDatabase();
    const owner = { userId, lectureId: spoken };
    await writeTranslationFormerly(backend, spoken, {
      startMs: 1,
      hash: "x",
      translated: "Un.",
    });
    await writeTranslationFormerly(backend, spoken, {
      startMs: 1,
      hash: "x",
      translated: "Une.",
    });
    expect((await readShareTranslations(db, owner, "fr")).get("1:x")).toBe("Une.");
    expect(await readTranslationsFormerly(backend, spoken)).toHaveLength(2);
    expect((await purgeTranslationsFormerly(backend, spoken)).rows).toEqual([["2"]]);
    expect((await readShareTranslations(db, owner, "fr")).size).toBe(0);
  });
});
