import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Database } from "#server/database.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { maxPassageLength, normalizeText, wordMaxLength } from "#server/search/lexemes.ts";
import {
  passageRows,
  refreshBeforeSearch,
  refreshSearchIndex,
  statementLength,
} from "#server/search/refresh.ts";
import { searchLectures } from "#server/search/search.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { addLecture, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

/** A database in which a passage waits, and whose indexing fails with this SQLSTATE. */
const createFailing = (code: string) =>
  ({
    execute: async () => ({ rows: [{}] }),
    batch: async () => {
      throw Object.assign(new Error("failed"), { code, severity: "ERROR" });
    },
  }) as unknown as Database;

const refresh = (code: string) =>
  refreshBeforeSearch(createFailing(code), crypto.randomUUID(), { now: () => new Date(0) });

test("a search goes on where indexing takes too long, and reports every other failure", async () => {
  await expect(refresh("57014")).resolves.toBeUndefined();
  await expect(refresh("42703")).rejects.toThrow("failed");
});

describe("a hostile text", () => {
  const database = createTestDatabase();
  const clock = { now: () => new Date() };

  test("is normalized without long runs of combining marks, whose order takes quadratic time", async () => {
    const normalize = async (text: string) => {
      const { rows } = await database().execute<{ text: string }>(
        sql`select ${normalizeText(sql`${text}::text`)} as text`,
      );
      return rows[0]?.text ?? "";
    };
    for (const [above, below] of [
      ["\u0301", "\u0323"],
      ["\u0e48", "\u0e38"],
    ] as const) {
      const text = await normalize(`a${above.repeat(20_000)}${below.repeat(20_000)} b`);
      expect(text.length).toBeLessThanOrEqual(wordMaxLength + 4);
      expect(text.endsWith(" b")).toBe(true);
    }
    const words = `${"a".repeat(wordMaxLength)} ${"\uff76".repeat(300)} ${"你".repeat(300)} ${"a-".repeat(300)}`;
    expect(await normalize(words)).toBe(words.normalize("NFKC"));
  });

  test("is indexed in statements of limited length, and wholly in the end", async () => {
    const db = database();
    const { userId, lectureId } = await addLecture(db, "none");
    const rowLength = maxPassageLength / passageRows;
    const passages = 12;
    const text = "word ".repeat(rowLength / 5 - 1).trim();
    const entries = Array.from({ length: passages * passageRows }, (_, n) =>
      createEntry(text, n * 1_000, { ordinal: n }),
    );
    for (let from = 0; from < entries.length; from += passageRows)
      await saveRows(db, {
        userId,
        lectureId,
        now: new Date(),
        entries: entries.slice(from, from + passageRows),
        deleted: [],
      });
    const counts: number[] = [];
    for (let isMore = true; isMore; ) {
      const done = await refreshSearchIndex(db, userId);
      counts.push(done.count);
      isMore = done.isMore;
    }
    // One more may begin below the limit.
    const most = Math.ceil(statementLength / maxPassageLength) + 2;
    expect(counts.length).toBeGreaterThan(1);
    for (const count of counts) expect(count).toBeLessThanOrEqual(most);
    // And its title.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(passages);
    expect(await refreshSearchIndex(db, userId)).toEqual({ count: 0, isMore: false });
    const page = await searchLectures(db, { userId, query: "word", cursor: null, clock });
    expect(page.results.map((one) => one.lectureId)).toEqual([lectureId]);
  });
});
