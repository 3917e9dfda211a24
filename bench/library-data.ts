import { randomUUID } from "node:crypto";
import type { SqlBackend } from "#local/postgres/backend.ts";

/** Size of a library to generate. */
export interface LibraryPlan {
  lectures: number;
  folders: number;
  /** Number of nested folder levels. */
  depth: number;
}

/** A pseudo-random generator (mulberry32): the same numbers in each run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const syllables = "ba co di fu ga he lo mi nu pa re so ti vu wa xe zor tan mel kin".split(" ");

/** The pseudo-English word with this frequency rank; frequent words are short. */
export function toEnglishWord(rank: number): string {
  let word = "";
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

/** A word of two Han characters. Words share characters, as in Chinese. */
export function toChineseWord(rank: number): string {
  const character = (n: number) => String.fromCodePoint(0x4e00 + ((n * 37) % 2_500));
  return character(rank) + character(Math.floor(rank / 7) + rank * 13);
}

/** A generator of ranks below `size`, distributed by Zipf's law. */
export function createZipf(size: number, random: () => number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 2.7);
    sums.push(sum);
  }
  return () => {
    const point = random() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < point) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

export const vocabulary = { english: 20_000, chinese: 8_000 };

/** Sentences of about 150 bytes in each language, as two arrays in Postgres' text format. */
function createSentencePool(count: number): { english: string; chinese: string } {
  const random = createRandom(1);
  const word = createZipf(vocabulary.english, random);
  const pair = createZipf(vocabulary.chinese, random);
  const sentence = (length: number, make: () => string, between: string, end: string) =>
    Array.from({ length }, make).join(between) + end;
  const array = (make: () => string) =>
    `{${Array.from({ length: count }, () => `"${make()}"`).join(",")}}`;
  return {
    english: array(() => sentence(20, () => toEnglishWord(word()), " ", ".")),
    chinese: array(() => sentence(23, () => toChineseWord(pair()), "", "。")),
  };
}

/** Inserts the pool of sentences that transcripts are made of. */
export async function writeSentences(backend: SqlBackend, count: number): Promise<void> {
  const pool = createSentencePool(count);
  await backend.run({
    query: `create unlogged table bench_sentences as
      select n::int, english, chinese from unnest($1::text[], $2::text[])
      with ordinality as one (english, chinese, n)`,
    params: [pool.english, pool.chinese],
  });
  await backend.run({ query: "alter table bench_sentences add primary key (n)", params: [] });
}

export interface Library {
  userId: string;
  lectures: string[];
}

/** Inserts a user with folders and lectures, without transcripts. */
export async function writeLibrary(backend: SqlBackend, plan: LibraryPlan): Promise<Library> {
  const userId = randomUUID();
  const run = async (query: string, ...params: (string | number)[]) =>
    (await backend.run({ query, params: params.map(String) })).rows;
  await run(
    "insert into users (id, email, password_hash) values ($1, $2, 'none')",
    ...[userId, `${userId}@bench.invalid`],
  );
  // Several chains of `depth` nested folders.
  const folderIds = Array.from({ length: plan.folders }, () => randomUUID());
  for (let level = 0; level < plan.depth; level += 1) {
    const levelFolders = folderIds.flatMap((id, n) =>
      n % plan.depth === level ? [{ id, n }] : [],
    );
    await run(
      `insert into folders (id, user_id, name, parent_folder_id)
       select id, $1, 'Course ' || n, parent from unnest($2::uuid[], $3::int[], $4::uuid[]) as f (id, n, parent)`,
      userId,
      `{${levelFolders.map(({ id }) => id).join(",")}}`,
      `{${levelFolders.map(({ n }) => n).join(",")}}`,
      `{${levelFolders.map(({ n }) => (level === 0 ? "null" : folderIds[n - 1])).join(",")}}`,
    );
  }
  await run(
    `insert into lectures (user_id, title, status, target_language, folder_id, preview, summary,
       used_time, created_at)
     select $1, 'Lecture ' || made.n || ' ' || split_part(one.english, ' ', 7), 'completed', 'zh-cn',
       case when made.n % 11 = 0 then null else ($2::uuid[])[1 + made.n % $3::int] end,
       left(one.english, 151), one.english, 3600, now() - made.n * interval '7 minutes'
     from generate_series(1, $4::int) as made (n)
     join bench_sentences one on one.n = 1 + made.n % (select count(*) from bench_sentences)`,
    ...[userId, `{${folderIds.join(",")}}`, plan.folders, plan.lectures],
  );
  const lectures = (
    await run("select id from lectures where user_id = $1 order by id", userId)
  ).map(([id]) => String(id));
  return { userId, lectures };
}

/** Inserts transcripts of random sentences. */
export async function writeTranscripts(
  backend: SqlBackend,
  lectureIds: readonly string[],
  rows: number,
): Promise<void> {
  // One statement for each hundred lectures: Postgres keeps the rows for the triggers in memory.
  for (let at = 0; at < lectureIds.length; at += 100) {
    await backend.run({
      query: `insert into transcript_entries
          (lecture_id, position, original, translated, start_ms, end_ms)
        select picked.id, picked.position, one.english, one.chinese,
          picked.position * 8000, picked.position * 8000 + 7000
        from (
          select id, position, 1 + floor(random() * (select count(*) from bench_sentences))::int as n
          from unnest($1::uuid[]) as id, generate_series(0, $2::int - 1) position
        ) picked
        join bench_sentences one on one.n = picked.n`,
      params: [`{${lectureIds.slice(at, at + 100).join(",")}}`, String(rows)],
    });
  }
}

/** The rule of `toSampleLexemes` in `src/server/search/lexemes.ts`. */
const isSampled = (lecture: string) => `(get_byte(uuid_send(${lecture}), 15) + passage) % 64 = 0`;
const sampleLexeme = "encode(substring(uuid_send(user_id) from 1 for 3), 'base64') || '#'";

/** Copies the transcripts and search passages of the first `sources` lectures to all other lectures. */
export async function repeatTranscripts(
  backend: SqlBackend,
  { lectures }: Library,
  sources: number,
): Promise<void> {
  for (let at = sources; at < lectures.length; at += sources) {
    const params = [
      `{${lectures.slice(0, sources).join(",")}}`,
      `{${lectures.slice(at, at + sources).join(",")}}`,
    ];
    const pairs = "unnest($1::uuid[], $2::uuid[]) as pair (source, copy)";
    await backend.batch([
      {
        query: `insert into transcript_entries
            (lecture_id, position, original, translated, start_ms, end_ms)
          select copy, position, original, translated, start_ms, end_ms
          from ${pairs} join transcript_entries on lecture_id = source`,
        params,
      },
      {
        query: `insert into search_passages (lecture_id, passage, user_id, words)
          select copy, passage, user_id,
            case when ${isSampled("source")} then ts_delete(words, ${sampleLexeme}) else words end
              || array_to_tsvector(case when ${isSampled("copy")} then array[${sampleLexeme}] else '{}' end)
          from ${pairs} join search_passages on lecture_id = source and passage >= 0`,
        params,
      },
      {
        query: "delete from search_queue where lecture_id = any ($1::uuid[]) and passage >= 0",
        params: params.slice(1),
      },
    ]);
  }
}
