import { once } from "node:events";
import pg from "pg";
import type { SqlBackend } from "#local/postgres/backend.ts";
import type { Library } from "./library-data.ts";
import { percentile } from "./percentiles.ts";

const columns =
  "id, title, created_at, original_text, translated_text, summary, used_time, combined_content, folder_id";

/** Creates the specification's lecture table, which has the texts in the row. */
async function writePlainTable(backend: SqlBackend): Promise<void> {
  const run = (query: string) => backend.run({ query, params: [] });
  await run(`create unlogged table plain_lectures as
    select lecture.id, lecture.user_id, title, created_at, summary, used_time, folder_id,
      body.original_text, body.translated_text, body.combined_content
    from lectures lecture cross join lateral (
      select string_agg(original, ' ' order by position) as original_text,
        string_agg(translated, '' order by position) as translated_text,
        jsonb_agg(jsonb_build_object('original', original, 'translated', translated)
          order by position) as combined_content
      from transcript_entries where lecture_id = lecture.id
    ) as body`);
  await run("create index on plain_lectures (user_id, created_at desc)");
  await run("analyze plain_lectures");
}

const plainQuery = `select ${columns} from plain_lectures where user_id = $1 order by created_at desc`;

/** Reads all rows without keeping them; returns the time until the last row and the bytes of text. */
async function streamRows(
  url: string,
  userId: string,
): Promise<{ ms: number; bytes: number; count: number }> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (text: string) => text },
  });
  await client.connect();
  try {
    const began = performance.now();
    let bytes = 0;
    let count = 0;
    const query = new pg.Query<Record<string, string | null>>(plainQuery, [userId]);
    query.on("row", (row) => {
      count += 1;
      for (const value of Object.values(row))
        bytes += value === null ? 0 : Buffer.byteLength(value);
    });
    client.query(query);
    await once(query, "end");
    return { ms: performance.now() - began, bytes, count };
  } finally {
    await client.end();
  }
}

/** Measures the specification's list page, which selects all texts of all lectures, with the same libraries. */
export async function measurePlain(
  backend: SqlBackend,
  { few, many, url }: { few: Library; many: Library; url: string | null },
): Promise<string> {
  await writePlainTable(backend);
  const read = async (userId: string) => {
    if (url) return streamRows(url, userId);
    const began = performance.now();
    const { rows } = await backend.run({ query: plainQuery, params: [userId] });
    const ms = performance.now() - began;
    return { ms, bytes: JSON.stringify(rows).length, count: rows.length };
  };
  const lines: string[] = [];
  for (const { userId, lectures } of [few, many]) {
    const runs = [await read(userId), await read(userId), await read(userId)];
    const missing = runs.find(({ count }) => count !== lectures.length);
    if (missing) throw new Error(`${missing.count} of ${lectures.length} lectures were read`);
    const ms = percentile(
      runs.map((run) => run.ms),
      0.5,
    );
    lines.push(
      `| ${lectures.length} | ${((runs[0]?.bytes ?? 0) / 1e6).toFixed(1)} | ${ms.toFixed(0)} |`,
    );
  }
  return [
    "| plain list, all texts of all lectures: lectures | MB | ms until the last row, straight from the database |",
    "| --- | --- | --- |",
    ...lines,
  ].join("\n");
}
