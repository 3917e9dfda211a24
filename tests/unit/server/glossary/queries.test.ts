import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { folders, lectures, userStorage } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { changeGlossary, readGlossary, readTermPairs } from "#server/glossary/queries.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { resolveTerms, type TermChange } from "#shared/glossary.ts";
import { folderTermsMax } from "#shared/limits.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  addLecture,
  addUser,
  createTestDatabase,
} from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-25T08:00:00Z");

async function addFolder(db: Database, userId: string, parentFolderId: string | null = null) {
  const id = crypto.randomUUID();
  await db.insert(folders).values({ id, userId, name: "Cells", parentFolderId });
  return id;
}

const createTerm = (term: string, translation: string) => ({
  id: crypto.randomUUID(),
  language: "en" as const,
  term,
  translations: { "zh-cn": translation },
  origin: { kind: "file" as const, name: "slides.pptx" },
});

const change = (db: Database, userId: string, folderId: string | null, changes: TermChange[]) =>
  changeGlossary(db, { userId, folderId, changes, now });

const listTerms = async (db: Database, userId: string, folderId: string | null) =>
  resolveTerms(await readGlossary(db, { userId, folderId })).map(
    ({ term, translations }) => `${term} ${translations["zh-cn"]}`,
  );

test("a folder has its terms and those of the folders above it, the nearest first", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const biology = await addFolder(db, userId);
  const cells = await addFolder(db, userId, biology);
  await change(db, userId, null, [createTerm("energy", "能量")]);
  await change(db, userId, biology, [createTerm("cell", "电池"), createTerm("tissue", "组织")]);
  await change(db, userId, cells, [createTerm("Cell", "细胞")]);

  expect(await listTerms(db, userId, cells)).toEqual(["Cell 细胞", "tissue 组织", "energy 能量"]);
  expect(await listTerms(db, userId, biology)).toContain("cell 电池");
  expect(await listTerms(db, userId, null)).toEqual(["energy 能量"]);

  await change(db, userId, cells, [
    { ...createTerm("TISSUE", ""), translations: {}, isLeftOut: true },
  ]);
  expect(await listTerms(db, userId, cells)).toEqual(["Cell 细胞", "energy 能量"]);

  await deleteToTrash(db, { userId, target: { kind: "folder", id: biology }, now });
  expect(await getErrorCode(readGlossary(db, { userId, folderId: cells }))).toBe("not_found");
});

test("a lecture has the terms of its folder, and without one those of the whole library", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  await change(db, userId, null, [createTerm("energy", "能量")]);
  const read = async () =>
    (
      await readTermPairs(
        db,
        { userId, lectureId },
        { sourceLanguage: "en", targetLanguage: "zh-cn" },
      )
    ).map(({ source }) => source);
  expect(await read()).toEqual(["energy"]);
  const cells = await addFolder(db, userId);
  await change(db, userId, cells, [createTerm("membrane", "膜")]);
  await db.update(lectures).set({ folderId: cells }).where(eq(lectures.id, lectureId));
  expect(await read()).toEqual(["membrane", "energy"]);
});

test("changes of two pages to one term both stay, and a term that is there is not added twice", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const folderId = await addFolder(db, userId);
  const first = createTerm("mitosis", "有丝分裂");
  await change(db, userId, folderId, [first]);
  await change(db, userId, folderId, [{ id: first.id, translations: { de: "Mitose" } }]);
  await change(db, userId, folderId, [{ id: first.id, note: "Two cells." }]);
  // Another page adds the same term, twice in one call.
  const again = { ...createTerm(" Mitosis", "有絲分裂"), translations: { zh: "有絲分裂" } };
  await change(db, userId, folderId, [again, { ...again, id: crypto.randomUUID() }]);
  const { terms } = await readGlossary(db, { userId, folderId });
  expect(terms).toEqual([
    expect.objectContaining({
      id: first.id,
      term: "mitosis",
      note: "Two cells.",
      translations: { "zh-cn": "有丝分裂", zh: "有絲分裂", de: "Mitose" },
    }),
  ]);
  await change(db, userId, folderId, [{ id: first.id, translations: { de: null } }]);
  const other = createTerm("meiosis", "减数分裂");
  await change(db, userId, folderId, [other]);
  const rename = change(db, userId, folderId, [{ id: other.id, term: "MITOSIS" }]);
  expect(await getErrorCode(rename)).toBe("conflict");
  const replacement: TermChange[] = [
    { id: first.id, isDeleted: true },
    { id: other.id, term: "Mitosis" },
  ];
  expect(await getErrorCode(change(db, userId, folderId, replacement))).toBe("conflict");
  for (const part of replacement) await change(db, userId, folderId, [part]);
  expect(await listTerms(db, userId, folderId)).toEqual(["Mitosis 减数分裂"]);
});

test("a call that renames a term may add another one with its former name", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const folderId = await addFolder(db, userId);
  const term = createTerm("mitosis", "有丝分裂");
  await change(db, userId, folderId, [term]);
  // What undoes that the term took the name of one that was left out.
  await change(db, userId, folderId, [
    { ...createTerm("mitosis", "分裂"), isLeftOut: true },
    { id: term.id, term: "cell division" },
  ]);
  const { terms } = await readGlossary(db, { userId, folderId });
  expect(terms.map(({ id: _, ...one }) => one)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ term: "mitosis", isLeftOut: true }),
      expect.objectContaining({ term: "cell division", isLeftOut: false }),
    ]),
  );
  const twice = [createTerm("Cell division", "细胞分裂"), { id: term.id, note: "Two cells." }];
  expect(await getErrorCode(change(db, userId, folderId, twice))).toBe("conflict");
});

test("nobody reads or changes another user's glossary", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const { id: other } = await addUser(db);
  const folderId = await addFolder(db, userId);
  const term = createTerm("cell", "细胞");
  await change(db, userId, folderId, [term]);
  const foreign = { id: term.id, note: "changed" };
  expect(await getErrorCode(readGlossary(db, { userId: other, folderId }))).toBe("not_found");
  expect(await getErrorCode(change(db, other, folderId, [foreign]))).toBe("not_found");
  await change(db, other, null, [foreign, { id: term.id, isDeleted: true }]);
  // The same id is another term of another user.
  await change(db, other, null, [{ ...createTerm("cell", "电池"), id: term.id }]);
  expect(await listTerms(db, userId, folderId)).toEqual(["cell 细胞"]);
  const elsewhere = await addFolder(db, userId);
  expect(await getErrorCode(change(db, userId, elsewhere, [term]))).toBe("conflict");
});

test("a glossary has a limit, and its text counts towards the account's", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const folderId = await addFolder(db, userId);
  const terms = Array.from({ length: folderTermsMax }, (_, at) => createTerm(`term ${at}`, "词"));
  await change(db, userId, folderId, terms);
  expect(await getErrorCode(change(db, userId, folderId, [createTerm("one more", "词")]))).toBe(
    "glossary_full",
  );
  await change(db, userId, folderId, [{ ...createTerm("term 3", "术语") }]);
  const readBytes = async () =>
    (await db.select().from(userStorage).where(eq(userStorage.userId, userId)))[0]?.bytes ?? 0;
  const full = await readBytes();
  expect(full).toBeGreaterThan(folderTermsMax * 64);
  const [first] = terms;
  await change(db, userId, folderId, [{ id: first?.id ?? "", note: "x".repeat(100) }]);
  expect((await readBytes()) - full).toBe(100);
  await db.delete(folders).where(eq(folders.id, folderId));
  expect(await readBytes()).toBe(0);
});
