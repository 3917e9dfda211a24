import { expect, it } from "vitest";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { openAccount } from "./support.ts";

const getDb = createTestDatabase();

const createInput = () => ({
  lecture: {
    ...({ id: crypto.randomUUID(), title: "x", titleSource: "person", status: "draft" } as const),
    ...{ folderId: null, createdAt: "2026-11-20T08:00:00.000Z" },
    ...{ updatedAt: "2026-11-20T08:00:00.000Z", excerpt: "", translatedExcerpt: "" },
    ...({ sourceLanguage: "en", targetLanguage: "fr", isTwoWay: false, usedTime: 0 } as const),
    ...{ hasDemoText: false, summary: null, context: null, speakerNames: {} },
    ...{ originalText: "", translatedText: "" },
  },
  ...{ from: 0, entries: [], marks: [], takes: [], isFirst: true, isLast: true },
});
const id = crypto.randomUUID();
const mark = { id, atMs: 0, position: null, note: "" };
const take = {
  ...{ id, startedAt: 0, codec: "opus" as const, gaps: [] },
  ...{ capturedMs: 0, acknowledgedMs: 0, transcribedMs: 0, missingMs: 0 },
};

it.each([
  ["a mark", { marks: [mark, { ...mark, id: id.toUpperCase() }] }],
  ["a take", { takes: [take, take] }],
])("refuses a lecture in which %s occurs twice, and stores nothing", async (_, change) => {
  const { server } = await openAccount(getDb());
  await expect(
    server.backups.restoreLecture.mutate({ ...createInput(), ...change }),
  ).rejects.toMatchObject({ data: { appCode: "validation_failed" } });
  expect((await server.lectures.list.query({})).items).toEqual([]);
});
