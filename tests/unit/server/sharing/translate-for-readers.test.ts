import { like } from "drizzle-orm";
import { expect, test } from "vitest";
import { dailyCounters } from "#drizzle/schema.ts";
import { changeGlossary } from "#server/glossary/queries.ts";
import { OwnersTerms } from "#server/sharing/owners-terms.ts";
import { translateForReaders } from "#server/sharing/translate-for-readers.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  createFakeContext,
  createRecordingLimiter,
} from "#tests/unit/server/support/fake-context.ts";
import { addLecture, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

const shareId = crypto.randomUUID();
const goesOn = new AbortController().signal;

const createJob = (userId: string): Parameters<typeof translateForReaders>[2] => ({
  ...({ type: "translate", jobId: 1, userId, sourceLanguage: "en", language: "de" } as const),
  sentence: { startMs: 0, original: "Mitosis begins." },
  context: "",
  wordContext: "",
});

test("translates with the owner's terms, and counts it for the owner", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  const term = { language: "en", term: "mitosis", translations: { de: "Mitose" } } as const;
  await changeGlossary(db, {
    userId,
    folderId: null,
    now: new Date("2026-11-20T08:00:00Z"),
    changes: [{ id: crypto.randomUUID(), ...term }],
  });
  const terms = new OwnersTerms();
  await terms.update(db, { userId, lectureId }, 0);
  const { context, prompts } = createFakeContext(db);
  expect(await translateForReaders(context, shareId, createJob(userId), terms, goesOn)).toBe(
    "译文",
  );
  expect(prompts[0]?.user).toContain("Mitose");
  const counted = await db.select().from(dailyCounters).where(like(dailyCounters.key, "model:%"));
  expect(counted.map(({ key }) => key).toSorted()).toEqual(["model:site", `model:user:${userId}`]);
});

test("refuses what is too much for a minute before anything is counted", async () => {
  const db = database();
  const { userId } = await addLecture(db);
  const { context, prompts } = createFakeContext(db);
  const translations = createRecordingLimiter([`readers:${userId}`]);
  const services = { ...context, limits: { ...context.limits, translations } };
  const call = translateForReaders(services, shareId, createJob(userId), new OwnersTerms(), goesOn);
  expect(await getErrorCode(call)).toBe("rate_limited");
  expect(prompts).toEqual([]);
  const key = `model:user:${userId}`;
  expect(await db.select().from(dailyCounters).where(like(dailyCounters.key, key))).toEqual([]);
});
