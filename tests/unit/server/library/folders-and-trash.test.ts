import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SqlBackend } from "#local/postgres/backend.ts";
import type { Database } from "#server/database.ts";
import { createFolder, moveFolder } from "#server/folders/folder-changes.ts";
import { listFolders } from "#server/folders/queries.ts";
import { changeLecture, createLecture } from "#server/lectures/queries.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import { expireTrash, listTrash, restoreFromTrash } from "#server/trash/queries.ts";
import { AppError } from "#shared/errors.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createDatabase, databases } from "#tests/unit/server/support/production-driver.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";
import { LibraryUnderTest, type Step } from "./library-model.ts";

const n = fc.nat({ max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("createFolder" as const), at: n }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("renameFolder" as const),
      folder: n,
      name: fc.constantFrom("a", "b", "物理"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant("moveFolder" as const), folder: n, to: n }),
  },
  { weight: 4, arbitrary: fc.constant({ type: "createLecture" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant("moveLecture" as const), lecture: n, to: n }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("deleteFolder" as const), folder: n }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("deleteLecture" as const), lecture: n }) },
  { weight: 1, arbitrary: fc.constant({ type: "deleteAll" as const }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("restore" as const), deletion: n }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("remove" as const), deletion: n }) },
);

/** Invariants of a library after any steps. */
async function findViolations(backend: SqlBackend, userId: string): Promise<unknown[]> {
  const { rows } = await backend.run({
    query: `
      with recursive reached as (
        select id, deleted_at is not null as dead from folders
        where user_id = $1 and parent_folder_id is null
        union all
        select folders.id, folders.deleted_at is not null from folders
        join reached on folders.parent_folder_id = reached.id
      )
      select 'in a ring', id from folders
      where user_id = $1 and id not in (select id from reached)
      union all
      select 'living in a deleted folder', folders.id from folders
      join folders outer_folder on outer_folder.id = folders.parent_folder_id
      where folders.user_id = $1 and folders.deleted_at is null and outer_folder.deleted_at is not null
      union all
      select 'living in a deleted folder', lectures.id from lectures
      join folders on folders.id = lectures.folder_id
      where lectures.user_id = $1 and lectures.deleted_at is null and folders.deleted_at is not null
      union all
      select 'deleted without a deletion', id from lectures
      where user_id = $1 and (deleted_at is null) <> (deletion_id is null)
      union all
      select 'a deletion of nothing', id from deletions
      where user_id = $1 and not exists (select from lectures where deletion_id = deletions.id)
        and not exists (select from folders where deletion_id = deletions.id)`,
    params: [userId],
  });
  return rows;
}

describe.each(databases)("the tree on $name", ({ open }) => {
  const getDatabase = createDatabase(open);

  test("equals the model after any steps", { timeout: 120_000 }, async () => {
    const { db, backend } = getDatabase();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const { id: userId } = await addUser(db);
        const library = new LibraryUnderTest(db, userId);
        for (const one of steps) {
          const [said, expected] = await library.take(one);
          expect(said, JSON.stringify(one)).toBe(expected);
        }
        const [said, expected] = await library.compare();
        expect(said).toEqual(expected);
        expect(await findViolations(backend, userId)).toEqual([]);
      }),
      { numRuns: countRuns(12) },
    );
  });

  test("has no cycle, orphan or wrong count after concurrent calls", {
    timeout: 120_000,
  }, async () => {
    const { db, backend } = getDatabase();
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(n), async (chosen) => {
        const { id: userId } = await addUser(db);
        const { folders, lectures } = await grow(db, userId);
        const next = (count: number) => Number(chosen.next().value) % count;
        const folder = () => folders[next(folders.length)] ?? "";
        await Promise.all(
          Array.from({ length: 48 }, async () => {
            const now = new Date();
            const id = folder();
            const place = folder();
            const lecture = lectures[next(lectures.length)] ?? "";
            switch (next(8)) {
              case 0:
                return refusable(
                  deleteToTrash(db, { userId, target: { kind: "folder", id }, now }),
                );
              case 1:
                return refusable(
                  changeLecture(db, { userId, id: lecture }, { folderId: place, updatedAt: now }),
                );
              case 2:
                return refusable(bringBack(db, userId));
              case 3:
                return refusable(removeOne(db, userId));
              default:
                return refusable(moveFolder(db, { userId, id, parentFolderId: place, now }));
            }
          }),
        );
        expect(await findViolations(backend, userId)).toEqual([]);
        const tree = await listFolders(db, userId);
        const within = tree.folders.reduce((sum, one) => sum + one.lectures, 0);
        expect(within + tree.uncategorized).toBe(tree.total);
      }),
      { numRuns: countRuns(6) },
    );
  });

  test("has a lecture in no folder that is deleted while the lecture is created", async () => {
    const { db, backend } = getDatabase();
    const { id: userId } = await addUser(db);
    const now = new Date();
    for (let round = 0; round < 10; round += 1) {
      const folderId = randomUUID();
      await createFolder(db, { userId, id: folderId, name: "f", parentFolderId: null, now });
      const lecture = { title: "T", targetLanguage: "fr", folderId } as const;
      await Promise.all([
        deleteToTrash(db, { userId, target: { kind: "folder", id: folderId }, now }),
        ...Array.from({ length: 4 }, () =>
          createLecture(db, { userId, id: randomUUID(), ...lecture, now }),
        ),
      ]);
    }
    expect(await findViolations(backend, userId)).toEqual([]);
    const { folders, total, uncategorized } = await listFolders(db, userId);
    expect({ folders, total }).toEqual({ folders: [], total: uncategorized });
  });

  test("refuses one of two moves that would create a cycle", async () => {
    const { db } = getDatabase();
    const { id: userId } = await addUser(db);
    const now = new Date();
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [randomUUID(), randomUUID()];
      for (const id of [one, other])
        await createFolder(db, { userId, id, name: "f", parentFolderId: null, now });
      const said = await Promise.all([
        refusable(moveFolder(db, { userId, id: one, parentFolderId: other, now })),
        refusable(moveFolder(db, { userId, id: other, parentFolderId: one, now })),
      ]);
      expect(said.sort()).toEqual(["conflict", "done"]);
    }
  });
});

const refusable = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof AppError && error.code !== "internal") return error.code;
      throw error;
    },
  );

/** Twelve folders in three chains with a lecture in each. */
async function grow(db: Database, userId: string) {
  const now = new Date();
  const folders: string[] = [];
  const lectures: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    const [id, lecture] = [randomUUID(), randomUUID()];
    const parentFolderId = folders[i - 3] ?? null;
    await createFolder(db, { userId, id, name: `f${i}`, parentFolderId, now });
    await createLecture(db, { userId, id: lecture, title: "l", targetLanguage: "ja", now });
    await changeLecture(db, { userId, id: lecture }, { folderId: id, updatedAt: now });
    folders.push(id);
    lectures.push(lecture);
  }
  return { folders, lectures };
}

async function bringBack(db: Database, userId: string): Promise<void> {
  const now = new Date();
  const [item] = (await listTrash(db, { userId, cursor: null, now })).items;
  if (item) await restoreFromTrash(db, { userId, id: item.id, now });
}

async function removeOne(db: Database, userId: string): Promise<void> {
  const now = new Date();
  const item = (await listTrash(db, { userId, cursor: null, now })).items.at(-1);
  if (!item) return;
  await expireTrash(db, { userId, id: item.id, now });
  await purgeTrash(db, { userId, now });
}
