import { expect, test, vi } from "vitest";
import { changeGlossary } from "#server/glossary/queries.ts";
import { OwnersTerms } from "#server/sharing/owners-terms.ts";
import { addLecture, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

test("finds the terms of the lecture's owner in a sentence, and reads them once a minute", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  const add = (term: string, de: string) =>
    changeGlossary(db, {
      userId,
      folderId: null,
      now: new Date("2026-11-25T08:00:00Z"),
      changes: [{ id: crypto.randomUUID(), language: "en", term, translations: { de } }],
    });
  await add("mitosis", "Mitose");
  const terms = new OwnersTerms();
  const find = async (text: string) => {
    const found = await terms.find(db, { text, sourceLanguage: "en", targetLanguage: "de" });
    return found.map(({ target }) => target);
  };
  expect(await find("Mitosis begins.")).toEqual([]);
  await terms.update(db, { userId, lectureId }, 1_000);
  expect(await find("Mitosis begins.")).toEqual(["Mitose"]);
  expect(await find("Meiosis begins.")).toEqual([]);

  await add("meiosis", "Meiose");
  await terms.update(db, { userId, lectureId }, 60_000);
  expect(await find("Meiosis begins.")).toEqual([]);
  await terms.update(db, { userId, lectureId }, 61_000);
  expect(await find("Meiosis begins.")).toEqual(["Meiose"]);
});

test("has the terms read once for texts at the same time, and again after a failure", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  await changeGlossary(db, {
    userId,
    folderId: null,
    now: new Date("2026-11-25T08:00:00Z"),
    changes: [
      { id: crypto.randomUUID(), language: "en", term: "mitosis", translations: { de: "Mitose" } },
    ],
  });
  const terms = new OwnersTerms();
  await terms.update(db, { userId, lectureId }, 0);
  const text = { text: "Mitosis.", sourceLanguage: "en", targetLanguage: "de" } as const;
  const execute = vi.spyOn(db, "execute");
  execute.mockRejectedValueOnce(new Error("no database"));
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => terms.find(db, text)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", ...Array(7).fill("fulfilled")]);
  expect(execute).toHaveBeenCalledTimes(2);
  execute.mockRestore();
});
