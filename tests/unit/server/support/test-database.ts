import { eq } from "drizzle-orm";
import { lectures, profiles, userStorage, users } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { createLecture } from "#server/lectures/queries.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { mainBackend } from "#tests/unit/local/postgres/backends.ts";
import { createDatabase } from "./production-driver.ts";

/**
 * An embedded Postgres for the tests of one file, with production's driver:
 * batches are transactions. `LOCAL_DATABASE_URL` replaces it by a PostgreSQL server.
 */
export function createTestDatabase(): () => Database {
  const getDatabase = createDatabase(mainBackend.openTables);
  return () => getDatabase().db;
}

/** A new user with a profile. */
export async function addUser(db: Database): Promise<{ id: string; email: string }> {
  const user = { id: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.org` };
  await db.batch([
    db.insert(users).values({ ...user, passwordHash: "unused" }),
    db.insert(profiles).values({ userId: user.id }),
  ]);
  return user;
}

export const lectureCreatedAt = new Date("2026-11-20T08:00:00.000Z");

/** A new user's new lecture. */
export async function addLecture(db: Database, targetLanguage: TargetLanguage = "fr") {
  const { id: userId } = await addUser(db);
  const lectureId = crypto.randomUUID();
  const lecture = { userId, id: lectureId, title: "Optics", targetLanguage, now: lectureCreatedAt };
  await createLecture(db, lecture);
  return { userId, lectureId };
}

/** Bytes of a lecture's rows, of all of it, and of all that its user has stored. */
export async function readBytes(db: Database, lectureId: string) {
  const [row] = await db
    .select({ rows: lectures.entryBytes, lecture: lectures.bytes, account: userStorage.bytes })
    .from(lectures)
    .innerJoin(userStorage, eq(userStorage.userId, lectures.userId))
    .where(eq(lectures.id, lectureId));
  return row;
}
