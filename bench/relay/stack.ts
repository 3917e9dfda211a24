import { createHash, randomBytes, randomUUID } from "node:crypto";
import { neon, neonConfig } from "@neondatabase/serverless";
import { inArray } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import {
  lectures,
  profiles,
  sessions,
  shares,
  subscriptions,
  usageLedger,
  users,
} from "#drizzle/schema.ts";
import { startPrivateServer } from "#local/postgres/private-server.ts";
import { type EmbeddedStack, startEmbeddedStack } from "#local/stack.ts";
import { shareCodeBytes } from "#shared/share.ts";

/** One person's lecture and the cookie that opens its recording. */
export interface Recording {
  lectureId: string;
  userId: string;
  /** Of the sign-in that the cookie names, as the database has it. */
  sessionId: string;
  cookie: string;
  /** The lecture is shared with Premium's limits; this is the link's code. */
  code: string;
}

export interface StackPlan {
  providerUrl: string;
  recordings: number;
  /** Use a PostgreSQL server if one is installed, otherwise the embedded database. */
  onServer: boolean;
  /** Share each lecture, with a Premium plan. */
  areShared?: boolean;
}

/** The embedded stack with a signed-in user and a draft lecture for each recording. */
export interface StackReady {
  url: string;
  vars: Record<string, string>;
  /** Name and version of the database. */
  database: string;
  recordings: Recording[];
}

/** Asks for the latest write of each of these recordings to the ledger. */
export interface LedgerQuestion {
  lectureIds: readonly string[];
}

/** Times of writes, ms since the epoch. */
export interface LedgerAnswer {
  writtenAt: number[];
}

/**
 * Limits of provider sessions, at once and opened in a minute: with the defaults of 10 and 100 most recordings would be
 * rejected as `busy`, or wait minutes for their turn.
 */
const streams = "1000";
const openings = "1000";

let stack: EmbeddedStack | null = null;
let server: Awaited<ReturnType<typeof startPrivateServer>> = null;
const input = await receiveInput<StackPlan>(async () => {
  await stack?.close();
  await server?.close();
});
if (input.onServer) server = await startPrivateServer({ fsync: "off" });
stack = await startEmbeddedStack({
  dataDir: null,
  port: 0,
  env: {
    SONIOX_API_KEY: "bench",
    SONIOX_URL: input.providerUrl,
    SONIOX_STREAMS: streams,
    SONIOX_OPENINGS: openings,
    LOCAL_DATABASE_URL: server?.url,
  },
});
neonConfig.fetchEndpoint = `${stack.url}/neon/sql`;
const db = drizzle(neon("postgresql://bench:bench@localhost/bench"));
sendToParent({
  url: stack.url,
  vars: stack.vars,
  database: server ? `PostgreSQL ${server.version}` : "PGlite",
  recordings: await seed(input),
} satisfies StackReady);
process.on("message", async ({ lectureIds }: LedgerQuestion) => {
  const rows = await db
    .select({ at: usageLedger.flushedAt })
    .from(usageLedger)
    .where(inArray(usageLedger.recordingId, [...lectureIds]));
  sendToParent({ writtenAt: rows.map(({ at }) => at.getTime()) } satisfies LedgerAnswer);
});

async function seed({ recordings: count, areShared = false }: StackPlan): Promise<Recording[]> {
  const rows = Array.from({ length: count }, () => ({
    userId: randomUUID(),
    lectureId: randomUUID(),
    secret: randomBytes(20).toString("hex"),
    code: randomBytes(shareCodeBytes).toString("base64url"),
  }));
  await db.insert(users).values(
    rows.map(({ userId }) => ({
      id: userId,
      email: `${userId}@bench.invalid`,
      passwordHash: "none",
    })),
  );
  await db.insert(profiles).values(rows.map(({ userId }) => ({ userId })));
  await db.insert(sessions).values(
    rows.map(({ userId, secret }) => ({
      id: toSessionId(secret),
      userId,
      expiresAt: new Date(Date.now() + 30 * 86_400_000),
    })),
  );
  await db.insert(lectures).values(
    rows.map(({ userId, lectureId }) => ({
      id: lectureId,
      userId,
      title: "Bench",
      targetLanguage: "none" as const,
    })),
  );
  if (areShared) await share(rows);
  return rows.map(({ lectureId, userId, secret, code }) => ({
    lectureId,
    userId,
    sessionId: toSessionId(secret),
    code,
    cookie: `dualect_session=${secret}`,
  }));
}

function toSessionId(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

async function share(rows: { userId: string; lectureId: string; code: string }[]): Promise<void> {
  await db.insert(subscriptions).values(
    rows.map(({ userId }) => ({
      userId,
      tier: "premium" as const,
      status: "active" as const,
      stripeCustomerId: userId,
      stripeSubscriptionId: userId,
    })),
  );
  await db.insert(shares).values(
    rows.map(({ userId, lectureId, code }) => ({
      userId,
      lectureId,
      mode: "until_revoked" as const,
      mayCopy: true,
      codeHash: createHash("sha256").update(code).digest("hex"),
    })),
  );
}
