import { expect, test } from "vitest";
import { folders } from "#drizzle/schema.ts";
import { listFolderChips, listFolders } from "#server/folders/queries.ts";
import { cursorInput } from "#server/page-cursor.ts";
import { compareFolders } from "#shared/folder.ts";
import { folderPageSize } from "#shared/limits.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

const names = [
  "Week 2",
  "week 10",
  "Week 1",
  "Week 02",
  "week 2",
  "2026-11-20",
  "2026-2-3",
  "Zoo",
  "apple",
  "第2周",
  "第10周",
  "数学",
  "安全",
  "八卦",
  "Ärzte",
  "a_b",
  "A b",
  "x12345678901",
  "x2",
  "1".repeat(200),
  // The order by code points is not that of UTF-16.
  "😀",
  "（一）",
  "（一",
  "\u00011".repeat(100),
];

test("lists folders by name with numbers by value, in pages without loss, as the page sorts them", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const rows = Array.from({ length: 3 * folderPageSize }, (_, index) => ({
    id: crypto.randomUUID(),
    userId,
    name: names[index] ?? `Week ${index % 60}`,
  }));
  await db.insert(folders).values(rows);

  const expected = rows.toSorted(compareFolders).map(({ id }) => id);
  const tree = await listFolders(db, userId);
  expect(tree.folders.map(({ id }) => id).sort()).toEqual(expected.toSorted());
  const chips: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listFolderChips>> = await listFolderChips(db, {
      userId,
      cursor,
    });
    if (cursor !== null) expect(cursorInput.safeParse(cursor).success).toBe(true);
    chips.push(...page.folders.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(chips).toEqual(expected);

  const shown = expected.map((id) => rows.find((row) => row.id === id)?.name ?? "");
  const few = ["2026-2-3", "安全", "八卦", "第2周", "第10周", "数学", "apple", "Week 2", "week 10"];
  for (const [n, name] of few.slice(1).entries())
    expect(shown.indexOf(name), name).toBeGreaterThan(shown.indexOf(few[n] ?? ""));
  const page = await listFolderChips(db, { userId, name: "WEEK 1" });
  expect(page.folders.map(({ name }) => name)).toEqual(
    shown.filter((name) => name.toLowerCase().includes("week 1")),
  );
});
