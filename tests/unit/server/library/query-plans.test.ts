import { describe, expect, test } from "vitest";
import type { SqlBackend, Statement } from "#local/postgres/backend.ts";
import type { Database } from "#server/database.ts";
import { listFolderChips, listFolders } from "#server/folders/queries.ts";
import { listLectures } from "#server/lectures/list.ts";
import { listMarks } from "#server/marks/queries.ts";
import { encodePageCursor } from "#server/page-cursor.ts";
import { searchLectures } from "#server/search/search.ts";
import {
  findShareByCode,
  listActiveShares,
  readActiveShare,
  readShareById,
  readShareTranslations,
} from "#server/sharing/queries.ts";
import { listTakes } from "#server/takes/queries.ts";
import { listTrash } from "#server/trash/queries.ts";
import { backends as databases, pglite } from "#tests/unit/local/postgres/backends.ts";
import { createDatabase } from "#tests/unit/server/support/production-driver.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

const clock = { now: () => new Date() };

/** Ten users, each with so many rows that a full scan would be a possible plan, and others who may read some of them. */
async function fill(backend: SqlBackend, userIds: string[]): Promise<void> {
  const run = (query: string) => backend.run({ query, params: [`{${userIds.join(",")}}`] });
  const users = "unnest($1::uuid[]) as owner (id)";
  await backend.run({
    query: `insert into users (email, password_hash)
      select 'person' || n || '@example.org', 'unused' from generate_series(1, 2000) n`,
    params: [],
  });
  await run(`insert into folders (user_id, name)
    select owner.id, 'Folder ' || n from ${users}, generate_series(1, 200) n`);
  await run(`insert into lectures (user_id, title, target_language, folder_id, created_at)
    select owner.id, 'Lecture ' || n, 'ja', folders.id, now() - n * interval '1 hour'
    from ${users} cross join generate_series(1, 600) n
      left join folders on folders.user_id = owner.id and folders.name = 'Folder ' || 1 + n % 300`);
  await run(`insert into deletions
      (user_id, kind, name, lectures, folders, deleted_at, expires_at)
    select owner.id, 'lecture', 'x', 1, 0, now() - n * interval '1 minute', now() + interval '9 days'
    from ${users}, generate_series(1, 200) n`);
  await run(`insert into search_passages (lecture_id, passage, user_id, words)
    select id, -1, user_id, array_to_tsvector(array['tag' || n % 50])
    from (select id, user_id, row_number() over () as n from lectures
      where user_id = any ($1::uuid[])) as lecture`);
  await run(`insert into transcript_entries
      (lecture_id, position, original, translated, start_ms, end_ms)
    select id, n, 'Light.', '光。', n, n
    from (select id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(0, 29) n`);
  await run(`insert into marks (lecture_id, id, at_ms, note)
    select id, gen_random_uuid(), n, 'note'
    from (select id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(0, 29) n`);
  await run(`insert into lecture_members (lecture_id, user_id, email, role)
    select id, user_id, 'person' || n || '@example.org', 'corrects'
    from (select id, user_id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(1, 20) n`);
  await run(`insert into slides (id, user_id, lecture_id, source, text, placed_by, width, height)
    select gen_random_uuid(), user_id, id, 'file', 'A ray of light', 'person', 1280, 720
    from (select id, user_id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(1, 20) n`);
  await run(`insert into recording_takes (lecture_id, id, started_at, codec, captured_ms, acknowledged_ms,
      transcribed_ms, missing_ms, gaps)
    select id, gen_random_uuid(), now(), 'opus', 1000, 1000, 1000, 0, '[]'
    from (select id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(0, 29) n`);
  await run(`insert into shares (lecture_id, user_id, code_hash, mode, may_copy, ended_at)
    select id, user_id, 'hash of ' || id || n, 'until_revoked', true, case when n > 0 then now() end
    from (select id, user_id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(0, 9) n`);
  await run(`insert into reader_translations (lecture_id, language, start_ms, original_hash, translated)
    select id, 'de', n, 'x', 'Licht.'
    from (select id from lectures where user_id = any ($1::uuid[]) limit 100) as lecture,
      generate_series(0, 29) n`);
  await run(`insert into usage_ledger
      (recording_id, segment, user_id, lecture_id, month, recorded_ms, started_at, flushed_at)
    select id, 0, user_id, id, date_trunc('month', now()), 1000, now(), now()
    from lectures where user_id = any ($1::uuid[])`);
  await backend.run({ query: "delete from search_queue", params: [] });
  await backend.run({ query: "analyze", params: [] });
}

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Node[];
};

const listNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

// On PostgreSQL where it is installed: PGlite takes three times as long for the rows.
const { open } = databases.at(-1) ?? pglite;

describe("plans of lists", () => {
  const recorded: Statement[] = [];
  const getDatabase = createDatabase(async () => {
    const backend = await open();
    const note = <T extends Statement | Statement[]>(what: T): T => {
      recorded.push(...[what].flat());
      return what;
    };
    return {
      ...backend,
      run: (statement) => backend.run(note(statement)),
      batch: (statements, options) => backend.batch(note(statements), options),
    };
  });

  test("use an index for every list, and no sort for a page of lectures", {
    timeout: 60_000,
  }, async () => {
    const { db, backend } = getDatabase();
    const userIds: string[] = [];
    for (let n = 0; n < 10; n += 1) userIds.push((await addUser(db)).id);
    await fill(backend, userIds);
    const [userId = ""] = userIds;
    const [folder] = (await listFolders(db, userId)).folders;
    const page = { userId, limit: 50, cursor: null };
    const after = encodePageCursor([Date.now() - 3_600_000 * 70, crypto.randomUUID()]);
    const [marked] = (await listLectures(db, page)).items;
    const afterMark = encodePageCursor([crypto.randomUUID()]);
    const { rows: shared } = await backend.run({
      query: `select id, lecture_id, user_id, code_hash from shares where ended_at is null limit 1`,
      params: [],
    });
    const [shareId = "", sharedId = "", ownerId = "", codeHash = ""] = (shared[0] ?? []).map(
      String,
    );
    const ofShare = { userId: ownerId, lectureId: sharedId };
    const lists: [name: string, call: (db: Database) => Promise<unknown>, sorts: boolean][] = [
      ["all", (db) => listLectures(db, page), false],
      ["all, further down", (db) => listLectures(db, { ...page, cursor: after }), false],
      ["uncategorized", (db) => listLectures(db, { ...page, folderId: null }), false],
      ["a folder", (db) => listLectures(db, { ...page, folderId: folder?.id }), false],
      ["by title", (db) => listLectures(db, { ...page, title: "ture 7" }), true],
      ["tree", (db) => listFolders(db, userId), true],
      ["chips", (db) => listFolderChips(db, { userId, cursor: null }), true],
      ["chips by name", (db) => listFolderChips(db, { userId, cursor: null, name: "9" }), true],
      ["marks", (db) => listMarks(db, { userId, lectureId: marked?.id ?? "" }), true],
      [
        "marks, further down",
        (db) => listMarks(db, { userId, lectureId: marked?.id ?? "", cursor: afterMark }),
        true,
      ],
      ["takes", (db) => listTakes(db, { userId, lectureId: marked?.id ?? "" }), true],
      [
        "takes, further down",
        (db) => listTakes(db, { userId, lectureId: marked?.id ?? "", cursor: afterMark }),
        true,
      ],
      ["trash", (db) => listTrash(db, { userId, cursor: null, now: new Date() }), false],
      [
        "search",
        (db) => searchLectures(db, { userId, query: "light 光", cursor: null, clock }),
        true,
      ],
      ["a link", (db) => findShareByCode(db, codeHash), false],
      ["the share of a lecture", (db) => readActiveShare(db, ofShare), false],
      ["shares of a user", (db) => listActiveShares(db, ownerId), false],
      [
        "a share with its plan",
        (db) => readShareById(db, { id: shareId, mode: "test", now: new Date() }),
        true,
      ],
      ["translations for readers", (db) => readShareTranslations(db, ofShare, "de"), false],
    ];
    for (const [name, call, sorts] of lists) {
      recorded.length = 0;
      await call(db);
      // Nobody here has a subscription, and there are three plans: an index would be slower.
      const statements = recorded.filter(({ query }) => !query.includes('from "plans"'));
      expect(statements.length, name).toBeGreaterThan(0);
      for (const { query, params } of statements) {
        const { rows } = await backend.run({ query: `explain (format json) ${query}`, params });
        const [{ Plan }] = JSON.parse(String(rows[0]?.[0])) as [{ Plan: Node }];
        const nodes = listNodes(Plan);
        const scanned = nodes.filter((node) => node["Node Type"] === "Seq Scan");
        expect(
          scanned.map((node) => node["Relation Name"]),
          `${name}: ${query}`,
        ).toEqual([]);
        expect(
          nodes.some((node) => node["Index Name"] !== undefined),
          `${name}: ${query}`,
        ).toBe(true);
        const sorted = nodes.some((node) => /^(Incremental )?Sort$/.test(node["Node Type"]));
        if (!sorts) expect(sorted, `${name}: ${query}`).toBe(false);
      }
    }
  });
});
