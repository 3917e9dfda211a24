import { expect, test } from "vitest";
import { compareByName, toSortName } from "#client/state/library/folder-lists.ts";
import { folders } from "#drizzle/schema.ts";
import { listFolderChips, listFolders } from "#server/folders/queries.ts";
import { cursorInput, encodePageCursor } from "#server/page-cursor.ts";
import { folderPageSize } from "#shared/limits.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

const names = [
  ...["Week 2", "week 10", "Week 1", "Week 02", "week 2", "2026-11-20", "2026-2-3", "Zoo", "apple"],
  ...["第2周", "第10周", "数学", "Ärzte", "a_b", "A b", "x12345678901", "x2", "1".repeat(200)],
  // The order by code points is not that of UTF-16.
  ...["😀", "（一）", "（一", "\u00011".repeat(100)],
];

test("lists folders by name with numbers by value, in pages without loss, as the page sorts them", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const rows = Array.from({ length: 3 * folderPageSize }, (_, index) => ({
    ...{ id: crypto.randomUUID(), userId },
    name: names[index] ?? `Week ${index % 60}`,
  }));
  await db.insert(folders).values(rows);

  const expected = rows.toSorted(compareByName).map(({ id }) => id);
  const tree = await listFolders(db, userId);
  expect(tree.folders.map(({ id }) => id)).toEqual(expected);
  const chips: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listFolderChips>> = await listFolderChips(db, {
      userId,
      cursor,
    });
    chips.push(...page.folders.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(chips).toEqual(expected);

  const stored = await db.select().from(folders);
  for (const { id, name, sortName } of stored) {
    expect(sortName).toBe(toSortName(name));
    expect(cursorInput.safeParse(encodePageCursor([sortName, id])).success).toBe(true);
  }
  const weeks = tree.folders.map(({ name }) => name);
  expect(weeks.indexOf("Week 2")).toBeLessThan(weeks.indexOf("week 10"));
  expect(weeks.indexOf("第2周")).toBeLessThan(weeks.indexOf("第10周"));
});
