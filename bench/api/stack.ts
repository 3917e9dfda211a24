import { createHash, randomBytes } from "node:crypto";
import { neon as connect, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import { writeLibrary, writeSentences, writeTranscripts } from "#bench/library-data.ts";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import * as schema from "#drizzle/schema.ts";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import { openEmbedded } from "#local/postgres/embedded.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer, withoutTimeout } from "#local/postgres/server.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { serveStandIns } from "#local/stand-in.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import { glossaryTermsMax } from "#shared/limits.ts";

/** The database with a library for each user, behind Neon's protocol, and the model's stand-in, in a process of its own. */
export interface ApiStackPlan {
  users: number;
  /** Of each user; a row is about 150 bytes in each language. */
  lectures: number;
  rows: number;
  /** Accounts whose glossary is made to take long, see `addHostileGlossary`. */
  hostile: number;
  /** Use PGlite and no PostgreSQL. */
  isPglite: boolean;
}

/** One user, with the cookie that signs in. */
export interface ApiUser {
  cookie: string;
  lectureIds: string[];
  folderId: string;
  /** A lecture that the user is recording: it has no rows yet. */
  draftId: string;
}

export interface ApiStackReady {
  vars: Record<string, string>;
  /** Name and version of the database. */
  database: string;
  users: ApiUser[];
  hostile: ApiUser[];
}

const hostileWords = "a b c d e f g h ";

/** The number of requests that have reached the database. */
export interface RoundTrips {
  roundTrips: number;
}

let close = async () => {};
const input = await receiveInput<ApiStackPlan>(() => close());
const server = input.isPglite
  ? null
  : await startPrivateServer({ fsync: "off", shared_buffers: "512MB", max_wal_size: "4GB" });
const backend = server ? openServer(server.url) : await openEmbedded();
await migrateDatabase(backend.batch);
let roundTrips = 0;
const neon = createNeonStandIn(backend);
const standIns = await serveStandIns(
  [
    {
      ...neon,
      handle(request, response) {
        roundTrips += 1;
        return neon.handle(request, response);
      },
    },
    createLlmStandIn(),
  ],
  0,
);
close = async () => {
  await standIns.close();
  await backend.close();
  await server?.close();
};
neonConfig.fetchEndpoint = `${standIns.url}/neon/sql`;
const db = drizzle(connect("postgresql://bench:bench@localhost/bench"), { schema });
process.on("message", () => sendToParent({ roundTrips } satisfies RoundTrips));
// Short answers: the stand-in's own sends the letters of the hostile text one by one.
await fetch(`${standIns.url}/llm/control`, {
  method: "POST",
  body: JSON.stringify({ match: hostileWords, answer: "A short answer." }),
});
sendToParent({
  vars: {
    APP_ENV: "development",
    LOCAL_STACK_URL: standIns.url,
    GUEST_TICKET_SECRET: randomBytes(32).toString("base64url"),
    BILLING_MODE: "test",
  },
  database: server ? `PostgreSQL ${server.version}` : "PGlite",
  ...(await seed(input)),
} satisfies ApiStackReady);

async function seed(plan: ApiStackPlan): Promise<Pick<ApiStackReady, "users" | "hostile">> {
  const target = server ? openServer(withoutTimeout(server.url)) : backend;
  const run = async (query: string, ...params: string[]) =>
    (await target.run({ query, params })).rows;
  await writeSentences(target, 5_000);
  const users: ApiUser[] = [];
  const userIds: string[] = [];
  for (let n = 0; n < plan.users + plan.hostile; n += 1) {
    const { userId, lectures } = await writeLibrary(target, {
      lectures: plan.lectures + 1,
      folders: 6,
      depth: 3,
    });
    const [draftId = "", ...lectureIds] = lectures;
    await writeTranscripts(target, lectureIds, plan.rows);
    const secret = randomBytes(20).toString("hex");
    await run(
      "insert into sessions (id, user_id, expires_at) values ($1, $2, now() + interval '30 days')",
      createHash("sha256").update(secret).digest("hex"),
      userId,
    );
    await run("insert into profiles (user_id) values ($1)", userId);
    await run("update lectures set status = 'draft' where id = $1", draftId);
    await run(
      `insert into marks (id, lecture_id, at_ms, note)
        select gen_random_uuid(), id, n * 60000, 'A note' from unnest($1::uuid[]) id, generate_series(1, 5) n`,
      `{${lectureIds.join(",")}}`,
    );
    const [[folderId] = []] = await run("select id from folders where user_id = $1", userId);
    await run(
      `insert into glossary_terms (id, user_id, folder_id, language, term, key, translations, origin_kind, position)
        select gen_random_uuid(), $1, $2, 'en', 'term ' || n, 'term ' || n, '{"fr": "terme"}', 'person', n
        from generate_series(1, 50) n`,
      userId,
      String(folderId),
    );
    const [hostileId] = lectureIds;
    if (n >= plan.users && hostileId) await addHostileGlossary(run, userId, hostileId);
    userIds.push(userId);
    users.push({
      cookie: `dualect_session=${secret}`,
      lectureIds,
      folderId: String(folderId),
      draftId,
    });
  }
  // As the hourly job leaves it: indexing a whole library is no part of a search.
  const queue = userIds.values();
  const index = async () => {
    // Few at a time: a statement has five seconds, also on a busy machine.
    for (const userId of queue) while ((await refreshSearchIndex(db, userId, 16)).count > 0);
  };
  await Promise.all([index(), index()]);
  await run("vacuum analyze");
  if (server) await target.close();
  return { users: users.slice(0, plan.users), hostile: users.slice(plan.users) };
}

/** As many terms as an account may have, which begin with the same words, and a lecture of 40,000 characters of these. */
async function addHostileGlossary(
  run: (query: string, ...params: string[]) => Promise<unknown>,
  userId: string,
  lectureId: string,
): Promise<void> {
  await run(
    `insert into glossary_terms (id, user_id, folder_id, language, term, key, translations, origin_kind, position)
      select gen_random_uuid(), $1, null, 'en', $2 || n, $2 || n, '{"fr": "terme", "de": "Begriff"}', 'person', n
      from generate_series(1, $3::int - 50) n`,
    userId,
    hostileWords,
    String(glossaryTermsMax),
  );
  await run("delete from transcript_entries where lecture_id = $1", lectureId);
  await run(
    `insert into transcript_entries (lecture_id, position, original, translated, start_ms, end_ms)
      select $1, n, repeat($2, 312), '', n * 60000, n * 60000 + 59000
      from generate_series(0, 7) n`,
    lectureId,
    hostileWords,
  );
}
