import { describe, expect, it } from "vitest";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { appendFormerRows } from "#server/lectures/former-rows.ts";
import { readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { readMarkedSentences } from "#server/marks/marked-sentences.ts";
import { searchLectures } from "#server/search/search.ts";
import { getTranslationLanguage, type LanguagePair } from "#shared/languages.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { backends } from "#tests/unit/local/postgres/backends.ts";
import { createDatabase } from "#tests/unit/server/support/production-driver.ts";

/** How many migrations the version before has. */
const migrationsBefore = 30;

const clock = { now: () => new Date() };
const now = clock.now();
const userId = crypto.randomUUID();
const [oneWay, twoWay, untimed] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];

/** A row as the version before sends it to the database. */
interface Row {
  original: string;
  original_by_hand: boolean;
  spoken_in: string;
  translated: string;
  translated_into: string | null;
  translated_by_hand: boolean;
  speaker: string | null;
  start_ms: number;
  end_ms: number;
  revision: number;
}

const createRow = (original: string, startMs: number, change: Partial<Row> = {}): Row => ({
  original,
  original_by_hand: false,
  spoken_in: "en",
  translated: original && `fr: ${original}`,
  translated_into: "fr",
  translated_by_hand: false,
  speaker: null,
  start_ms: startMs,
  end_ms: startMs + 900,
  revision: 1,
  ...change,
});

const columns = `lecture_id, position, original, original_by_hand, spoken_in, translated,
  translated_into, translated_by_hand, speaker, start_ms, end_ms, revision`;
const incoming = `select * from jsonb_to_recordset($2::jsonb) as incoming (
  position int, original text, original_by_hand boolean, spoken_in text, translated text,
  translated_into target_language, translated_by_hand boolean, speaker text, start_ms int, end_ms int,
  revision int)`;
const countBytes = (table: string) =>
  `octet_length(${table}.original) + octet_length(${table}.translated) + coalesce(octet_length(${table}.speaker), 0) + 64`;

/** Writes rows as `appendEntries` of the version before did. With `isInsert`, later rows move behind them first. */
async function append(
  backend: SqlBackend,
  lectureId: string,
  { from, rows, isInsert = false }: { from: number; rows: readonly Row[]; isInsert?: boolean },
): Promise<void> {
  const entries = rows.map((row, at) => ({ position: from + at, ...row }));
  const params = [lectureId, JSON.stringify(entries)];
  const shift = {
    query: `with incoming as materialized (select count(*)::int as count from (${incoming}) as incoming),
      deleted_rows as (
        delete from transcript_entries as entry using incoming
        where entry.lecture_id = $1::uuid and entry.position >= $3::int
        returning entry as row_value
      ),
      row_array as materialized (select array_agg(deleted_rows.row_value) as rows from deleted_rows)
      insert into transcript_entries (${columns})
      select lecture_id, position + incoming.count, original, original_by_hand, spoken_in, translated,
        translated_into, translated_by_hand, speaker, start_ms, end_ms, revision
      from incoming, row_array, unnest(row_array.rows)`,
    params: [...params, String(from)],
  };
  const write = {
    query: `with lecture as (select id, source_language from lectures where id = $1::uuid),
      incoming as materialized (${incoming}),
      comparison as materialized (
        select coalesce(sum(${countBytes("incoming")} - case when entry.start_ms = incoming.start_ms
            then ${countBytes("entry")} else 0 end) filter (
              where (entry.start_ms = incoming.start_ms and entry.revision >= incoming.revision) is not true
            ), 0) as growth
        from incoming left join transcript_entries as entry
          on entry.lecture_id = $1::uuid and entry.position = incoming.position
      ),
      written_rows as (
        insert into transcript_entries as entry (${columns})
        select lecture.id, incoming.position, incoming.original,
          coalesce(incoming.original_by_hand, stored.original_by_hand, false),
          coalesce(incoming.spoken_in, stored.spoken_in, nullif(lecture.source_language, 'detect'), 'en'),
          incoming.translated, incoming.translated_into, incoming.translated_by_hand,
          incoming.speaker, incoming.start_ms, incoming.end_ms, incoming.revision
        from lecture, incoming left join transcript_entries as stored
          on stored.lecture_id = $1::uuid and stored.position = incoming.position
        on conflict (lecture_id, position) do update set
          original = excluded.original,
          original_by_hand = excluded.original_by_hand,
          spoken_in = excluded.spoken_in,
          translated = excluded.translated,
          translated_into = excluded.translated_into,
          translated_by_hand = excluded.translated_by_hand,
          speaker = excluded.speaker,
          start_ms = excluded.start_ms,
          end_ms = excluded.end_ms,
          revision = excluded.revision
        where entry.revision < excluded.revision
        returning end_ms
      )
      update lectures set entry_bytes = lectures.entry_bytes + comparison.growth,
        used_time = greatest(lectures.used_time, (select max(end_ms) / 1000 from written_rows))
      from comparison where lectures.id = $1::uuid and exists (select from written_rows)`,
    params,
  };
  await backend.batch([
    {
      query: "select id from lectures where id = $1::uuid for no key update",
      params: [lectureId],
    },
    ...(isInsert ? [shift] : []),
    write,
  ]);
}

/** The texts of a lecture as the version before reads them. */
const readFormerly = async (backend: SqlBackend, lectureId: string) =>
  (
    await backend.run({
      query:
        "select original from transcript_entries where lecture_id = $1::uuid order by position",
      params: [lectureId],
    })
  ).rows.map(([original]) => original);

const languagesOf: Record<string, LanguagePair> = {
  [oneWay]: { sourceLanguage: "en", targetLanguage: "fr", isTwoWay: false },
  [twoWay]: { sourceLanguage: "de", targetLanguage: "en", isTwoWay: true },
  [untimed]: { sourceLanguage: "detect", targetLanguage: "none", isTwoWay: false },
};
const waiting = { translated: "", translated_into: null, revision: 0 };
const rowsOf: Record<string, Row[]> = {
  // Three passages of the search.
  [oneWay]: Array.from({ length: 70 }, (_, n) =>
    createRow(n % 4 === 2 ? "" : `Sentence ${n} of light.`, n * 1_000, {
      ...(n % 5 === 3 && waiting),
      ...(n === 7 && { original_by_hand: true, translated_by_hand: true, revision: 12 }),
      // A translation that the person has taken away.
      ...(n === 9 && { translated: "", translated_into: null }),
      // One that waits for another language.
      ...(n === 11 && { translated: "", translated_into: "ja", revision: 4 }),
      speaker: n % 2 === 0 ? "1" : null,
    }),
  ),
  [twoWay]: [
    createRow("Guten Tag.", 0, { spoken_in: "de", translated_into: "en" }),
    createRow("Good day.", 900, { translated_into: "de" }),
    createRow("Was nun?", 1_800, { spoken_in: "de", ...waiting }),
    createRow("What now?", 2_700, waiting),
    createRow("何ですか。", 3_600, { spoken_in: "ja", ...waiting }),
  ],
  [untimed]: Array.from({ length: 12 }, (_, n) =>
    createRow(`Line ${n}.`, 0, { ...waiting, end_ms: 0 }),
  ),
};
const markIds = [crypto.randomUUID(), crypto.randomUUID()] as const;
const questionId = crypto.randomUUID();

async function fill(backend: SqlBackend): Promise<void> {
  const run = (query: string, ...params: string[]) => backend.run({ query, params });
  await run(
    "insert into users (id, email, password_hash) values ($1::uuid, $1::text || '@example.org', 'x')",
    userId,
  );
  for (const [id, { sourceLanguage, targetLanguage, isTwoWay }] of Object.entries(languagesOf)) {
    await run(
      `insert into lectures (id, user_id, title, source_language, target_language, is_two_way)
        values ($1, $2, 'Optics', $3, $4::target_language, $5::boolean)`,
      ...[id, userId, sourceLanguage, targetLanguage, String(isTwoWay)],
    );
    await append(backend, id, { from: 0, rows: rowsOf[id] ?? [] });
  }
  await run(
    `insert into marks (lecture_id, id, at_ms, position, note) values
      ($1, $3, 1500, null, 'by time'), ($2, $4, 0, 4, 'by position')`,
    ...[oneWay, untimed, ...markIds],
  );
  await run(
    `insert into shares (lecture_id, user_id, code_hash, mode, may_copy) values ($1, $2, 'hash', 'until_revoked', true)`,
    ...[oneWay, userId],
  );
  const cited = { lectureId: oneWay, title: "Optics", position: 5, startMs: 5_000, original: "x" };
  await run(
    `insert into questions (id, user_id, lecture_id, kind, question, statements, nearest, answered_in)
      values ($1, $2, $3, 'asked', 'Why?', $4::jsonb, '[]', 'fr')`,
    ...[questionId, userId, oneWay, JSON.stringify([{ text: "So.", rows: [cited], quote: "" }])],
  );
  // Nothing waits for the search.
  await run("delete from search_queue");
}

const last = backends.at(-1);
if (!last) throw new Error("no database");

describe(`the database of the version before rows had ids (${last.name})`, () => {
  /** What the migration must not change. */
  const kept = `select (select jsonb_agg(to_jsonb(mark) - 'edited_by' order by id) from marks mark),
    (select jsonb_agg(to_jsonb(share) - 'shows_slides') from shares share), (select json_agg(question) from questions question),
    (select json_agg(storage) from user_storage storage),
    (select json_agg(json_build_array(lecture_id, position, original, original_by_hand, spoken_in, translated,
        translated_by_hand, speaker, start_ms, end_ms, revision) order by lecture_id, position)
      from transcript_entries),
    (select json_agg(json_build_array(id, entry_bytes, bytes, used_time, updated_at) order by id) from lectures)`;
  let before: (string | null)[][] = [];
  const getDatabase = createDatabase(async () => {
    const backend = await last.open();
    await migrateDatabase(backend.batch, { upTo: migrationsBefore });
    await fill(backend);
    before = (await backend.run({ query: kept, params: [] })).rows;
    return backend;
  });
  const read = async (id: string) => {
    const page = await readLecture(getDatabase().db, { userId, id, from: 0, maxBytes: 1e6 });
    if (!page) throw new Error("no such lecture");
    return page;
  };

  it("has the same texts, marks, shares, answers and sizes", async () => {
    const { backend } = getDatabase();
    expect((await backend.run({ query: kept, params: [] })).rows).toEqual(before);
    expect(await migrateDatabase(backend.batch)).toBe(0);
  });

  it.each([
    ["one way", oneWay],
    ["two ways", twoWay],
    ["without times", untimed],
  ])(
    "opens as before (%s): rows in order, which have ids, and what waits for a translation does",
    async (_, id) => {
      const { entries, seq, nextCursor } = await read(id);
      const pair = languagesOf[id];
      if (!pair) throw new Error("no such lecture");
      expect(entries).toEqual(
        (rowsOf[id] ?? []).map((row, ordinal) => {
          const spokenIn = row.spoken_in as "en" | "de" | "ja";
          const waitsFor = row.revision === 0 ? getTranslationLanguage(pair, spokenIn) : null;
          return {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            seq: 0,
            ordinal,
            original: row.original,
            originalByHand: row.original_by_hand,
            spokenIn,
            translated: row.translated,
            translatedInto: row.translated_into ?? waitsFor,
            translatedByHand: row.translated_by_hand,
            speaker: row.speaker,
            startMs: row.start_ms,
            endMs: row.end_ms,
          };
        }),
      );
      expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
      expect([seq, nextCursor]).toEqual([0, null]);
    },
  );

  it("has the marks at their rows, and finds sentences and notes", async () => {
    const { db } = getDatabase();
    const marked = (id: string) => readMarkedSentences(db, { userId, id });
    expect(await marked(oneWay)).toEqual([{ sentence: "Sentence 1 of light.", note: "by time" }]);
    expect(await marked(untimed)).toEqual([{ sentence: "Line 4.", note: "by position" }]);
  });

  it("can be changed: rows by their ids, also those of a page that is still open", async () => {
    const { db } = getDatabase();
    const [first, second] = (await read(oneWay)).entries;
    if (!first || !second) throw new Error("no rows");
    const corrected = { ...first, original: "Sentence nought.", originalByHand: true };
    const added = createEntry("At the end.", 70_000, { ordinal: 70 });
    const key = { userId, lectureId: oneWay, now };
    const { saved } = await saveRows(db, { ...key, entries: [corrected, added], deleted: [] });
    expect(saved).toEqual({ seq: 1, changed: [], deletedIds: [], ordinals: {} });
    const formerPage = {
      from: 1,
      entries: [
        {
          original: "Sentence one.",
          originalByHand: true,
          spokenIn: "en" as const,
          translated: "",
          translatedInto: null,
          translatedByHand: false,
          speaker: null,
          startMs: 1_000,
          endMs: 1_900,
          revision: 2,
        },
      ],
    };
    const { answer } = await appendFormerRows(db, { ...key, ...formerPage });
    expect(answer).toEqual({ nextPosition: 2, isStale: false });
    const { entries } = await read(oneWay);
    expect(entries).toHaveLength(71);
    expect(entries[0]).toEqual({ ...corrected, seq: 1 });
    expect(entries[1]).toMatchObject({ id: second.id, seq: 2, original: "Sentence one." });
    expect(entries[70]).toEqual({ ...added, seq: 1 });
    const found = await searchLectures(db, { userId, query: "nought", cursor: null, clock });
    expect(found.results).toMatchObject([{ lectureId: oneWay, hit: { position: 0 } }]);
  });
});

describe("a translation that was missing", () => {
  const spoken = ["en", "de", "zh", "ja"] as const;
  const pairs = (["en", "de", "zh", "detect"] as const).flatMap((sourceLanguage) =>
    (["none", "en", "de", "zh", "zh-cn"] as const).flatMap((targetLanguage) =>
      [true, false].map((isTwoWay) => ({
        id: crypto.randomUUID(),
        pair: { sourceLanguage, targetLanguage, isTwoWay },
      })),
    ),
  );
  const getDatabase = createDatabase(async () => {
    const backend = await last.open();
    await migrateDatabase(backend.batch, { upTo: migrationsBefore });
    const run = (query: string, ...params: string[]) => backend.run({ query, params });
    await run(
      "insert into users (id, email, password_hash) values ($1, 'a@example.org', 'x')",
      userId,
    );
    for (const { id, pair } of pairs) {
      await run(
        `insert into lectures (id, user_id, title, source_language, target_language, is_two_way)
          values ($1, $2, 'Optics', $3, $4::target_language, $5::boolean)`,
        ...[id, userId, pair.sourceLanguage, pair.targetLanguage, String(pair.isTwoWay)],
      );
      const rows = spoken.map((one, n) => createRow("-", n, { spoken_in: one, ...waiting }));
      await append(backend, id, { from: 0, rows });
    }
    return backend;
  });

  it("waits for the language that the lecture's pair says", async () => {
    for (const { id, pair } of pairs) {
      const page = await readLecture(getDatabase().db, { userId, id, from: 0, maxBytes: 1e6 });
      expect([pair, page?.entries.map(({ translatedInto }) => translatedInto)]).toEqual([
        pair,
        spoken.map((one) => getTranslationLanguage(pair, one)),
      ]);
    }
  });
});

describe("the version before, until it is replaced and after a roll-back", () => {
  const getDatabase = createDatabase(async () => {
    const backend = await last.open();
    await migrateDatabase(backend.batch, { upTo: migrationsBefore });
    await fill(backend);
    return backend;
  });
  const readBoth = async () => {
    const { db, backend } = getDatabase();
    const page = await readLecture(db, { userId, id: oneWay, from: 0, maxBytes: 1e6 });
    const texts = page?.entries.map(({ original }) => original) ?? [];
    expect(new Set(page?.entries.map(({ id }) => id)).size).toBe(texts.length);
    expect(await readFormerly(backend, oneWay)).toEqual(texts);
    return texts;
  };

  it("adds, changes and inserts rows, and this version reads them", async () => {
    const { backend } = getDatabase();
    const before = await readBoth();
    await append(backend, oneWay, { from: 70, rows: [createRow("The newest.", 70_000)] });
    await append(backend, oneWay, {
      from: 0,
      rows: [
        createRow("Changed.", 0, { revision: 2 }),
        createRow("With too low a revision.", 1_000, { revision: 1 }),
      ],
    });
    await append(backend, oneWay, {
      from: 1,
      rows: [createRow("Inserted.", 500)],
      isInsert: true,
    });
    expect(await readBoth()).toEqual(["Changed.", "Inserted.", ...before.slice(1), "The newest."]);
  });

  it("reads and changes what this version has written", async () => {
    const { db, backend } = getDatabase();
    const before = await readBoth();
    const added = createEntry("By this version.", 80_000, { ordinal: before.length });
    const key = { userId, lectureId: oneWay, now };
    await saveRows(db, { ...key, entries: [added], deleted: [] });
    expect(await readBoth()).toEqual([...before, "By this version."]);
    const from = before.length;
    await append(backend, oneWay, {
      from,
      rows: [
        createRow("By the one before.", 80_000, { revision: 2 }),
        createRow("And one more.", 81_000),
      ],
    });
    expect(await readBoth()).toEqual([...before, "By the one before.", "And one more."]);
    const page = await readLecture(db, { userId, id: oneWay, from, maxBytes: 1e6 });
    expect(page?.entries[0]?.id).toBe(added.id);
  });

  it("queues what it writes for the search", async () => {
    const { db } = getDatabase();
    const found = await searchLectures(db, { userId, query: "newest", cursor: null, clock });
    expect(found.results).toHaveLength(1);
  });
});
