import { inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { readerTranslations } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { createLecture } from "#server/lectures/queries.ts";
import { purgeShares } from "#server/sharing/purge.ts";
import { endShare, replaceShare, writeShareTranslation } from "#server/sharing/queries.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const start = Date.UTC(2026, 10, 27);
const inHours = (hours: number) => new Date(start + hours * 3_600_000);

async function openUser() {
  const db = database();
  const { id: userId } = await addUser(db);
  return {
    db,
    async addLecture(): Promise<string> {
      const id = crypto.randomUUID();
      await createLecture(db, { userId, id, title: "T", targetLanguage: "fr", now: inHours(0) });
      return id;
    },
    async share(lectureId: string, now = inHours(0)): Promise<void> {
      const settings = { mode: "until_revoked", mayCopy: false, showsSlides: false, now } as const;
      const codeHash = crypto.randomUUID();
      const shared = await replaceShare(db, { userId, lectureId, codeHash, ...settings });
      const sentence = { startMs: 0, original: "Light." };
      await writeShareTranslation(db, shared?.created.id ?? "", {
        ...sentence,
        language: "de",
        translated: "Licht.",
      });
    },
    end: (lectureId: string, now = inHours(0)) => endShare(db, { userId, lectureId, now }),
  };
}

/** Those of the lectures that have readers' translations. */
const listTranslated = async (db: Database, ids: string[]) =>
  (
    await db.select().from(readerTranslations).where(inArray(readerTranslations.lectureId, ids))
  ).map(({ lectureId }) => lectureId);

test("the readers' translations go with the lecture's last share, a week after its end", async () => {
  const { db, addLecture, share, end } = await openUser();
  const [ended, sharedAgain] = [await addLecture(), await addLecture()];
  for (const id of [ended, sharedAgain]) {
    await share(id);
    await end(id);
  }
  await share(sharedAgain);
  await purgeShares(db, inHours(7 * 24 - 1));
  expect(await listTranslated(db, [ended, sharedAgain])).toHaveLength(2);
  expect(await purgeShares(db, inHours(7 * 24))).toEqual({ shares: 2, translations: 1 });
  expect(await listTranslated(db, [ended, sharedAgain])).toEqual([sharedAgain]);
});

test("the readers' translations go where many later links have taken the share's place", async () => {
  const { db, addLecture, share, end } = await openUser();
  const [ended, renewed] = [await addLecture(), await addLecture()];
  await share(ended);
  await end(ended);
  for (let n = 1; n <= 102; n += 1) await share(renewed, inHours(n / 60));
  await purgeShares(db, inHours(8 * 24));
  expect(await listTranslated(db, [ended, renewed])).toEqual([renewed]);
});
