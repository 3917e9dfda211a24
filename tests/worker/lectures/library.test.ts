import { describe, expect, test } from "vitest";
import { compareFolders } from "#shared/folder.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { Line, readLedger, spoken } from "#tests/worker/recording/support.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode, getErrorData } from "#tests/worker/support/errors.ts";

const newId = () => crypto.randomUUID();

describe("a library over HTTP", () => {
  test("creates, moves, finds, deletes and restores folders with their lectures", async () => {
    const { trpc } = await openSignedIn();
    const [physics, optics, lecture, loose] = [newId(), newId(), newId(), newId()];
    await trpc.folders.create.mutate({ id: physics, name: " Physics ", parentFolderId: null });
    await trpc.folders.create.mutate({ id: optics, name: "Optik", parentFolderId: physics });
    await trpc.folders.rename.mutate({ id: optics, name: "Optics" });
    for (const id of [lecture, loose])
      await trpc.lectures.create.mutate({ id, title: `Light ${id}`, targetLanguage: "fr" });
    await trpc.lectures.move.mutate({ id: lecture, folderId: optics });
    const readTree = async () => {
      const { folders, ...counts } = await trpc.folders.list.query();
      return { folders: folders.toSorted(compareFolders), ...counts };
    };
    const tree = await readTree();
    expect(tree).toMatchObject({ total: 2, uncategorized: 1 });
    expect(tree.folders).toMatchObject([
      { id: optics, name: "Optics", parentFolderId: physics, lectures: 1 },
      { id: physics, name: "Physics", parentFolderId: null, lectures: 0 },
    ]);
    expect(
      await getErrorCode(trpc.folders.move.mutate({ id: physics, parentFolderId: optics })),
    ).toBe("conflict");
    expect((await trpc.lectures.list.query({ folderId: optics })).items).toMatchObject([
      { id: lecture, folderId: optics },
    ]);
    expect(await trpc.lectures.item.query({ id: lecture })).toEqual(
      (await trpc.lectures.list.query({ folderId: optics })).items[0],
    );
    expect(await getErrorCode(trpc.lectures.item.query({ id: newId() }))).toBe("not_found");
    expect((await trpc.lectures.list.query({ folderId: null })).items).toMatchObject([
      { id: loose },
    ]);
    expect((await trpc.lectures.list.query({ title: loose.toUpperCase() })).total).toBe(1);
    expect((await trpc.folders.chips.query({ name: "OPT" })).folders).toEqual([
      { id: optics, name: "Optics", lectures: 1 },
    ]);
    expect((await trpc.lectures.search.query({ query: "lights" })).results).toHaveLength(2);

    const gone = await trpc.folders.delete.mutate({ id: physics });
    expect(gone).toEqual({ id: expect.any(String), lectures: 1, folders: 2 });
    expect(await trpc.folders.list.query()).toEqual({ folders: [], total: 1, uncategorized: 1 });
    expect((await trpc.trash.list.query({})).items).toMatchObject([
      { id: gone.id, kind: "folder", name: "Physics", lectures: 1, folders: 2 },
    ]);
    expect(await trpc.trash.restore.mutate({ id: gone.id ?? "" })).toEqual({
      lectures: 1,
      folders: 2,
    });
    expect(await readTree()).toEqual(tree);
    expect((await trpc.trash.list.query({})).items).toEqual([]);

    expect(
      await getErrorData(trpc.lectures.deleteAll.mutate({ confirmation: "delete" })),
    ).toMatchObject({ appCode: "validation_failed", messageKey: "validation.typeDeleteAll" });
    const all = await trpc.lectures.deleteAll.mutate({ confirmation: " Delete ALL " });
    expect(all).toMatchObject({ lectures: 2, folders: 0 });
    expect((await trpc.folders.list.query()).folders).toHaveLength(2);
    await trpc.trash.remove.mutate({ id: all.id ?? "" });
    expect(await getErrorCode(trpc.trash.restore.mutate({ id: all.id ?? "" }))).toBe("not_found");
    expect(await trpc.trash.empty.mutate()).toEqual({ items: 0 });
  });

  test("trims and limits names, and refuses blank ones", async () => {
    const { trpc } = await openSignedIn();
    const id = newId();
    for (const name of ["", "  ", "\u3000\t", "x".repeat(201), "a\0b"])
      expect(
        await getErrorCode(trpc.folders.create.mutate({ id, name, parentFolderId: null })),
      ).toBe("validation_failed");
    await trpc.folders.create.mutate({ id, name: "x".repeat(200), parentFolderId: null });
    expect(await getErrorCode(trpc.folders.rename.mutate({ id, name: " " }))).toBe(
      "validation_failed",
    );
  });
});

test("ends and charges a recording before its folder is deleted", async () => {
  const { trpc, browser } = await openSignedIn();
  const [lectureId, folderId] = [newId(), newId()];
  await trpc.lectures.create.mutate({ id: lectureId, title: "Live", targetLanguage: "none" });
  await trpc.folders.create.mutate({ id: folderId, name: "Live", parentFolderId: null });
  await trpc.lectures.move.mutate({ id: lectureId, folderId });
  const line = await Line.open(lectureId, { cookie: browser.cookie ?? "" });
  await line.message("ready");
  line.send({ type: "config", sampleRate: 16_000, language: "en", diarization: false });
  await line.message("config_acknowledged");
  for (const [seq, pcm] of spoken().chunks.slice(0, 8).entries()) line.audio(seq, pcm);
  await line.message("tokens");
  // The room is known to record since its first ledger write.
  await expect.poll(() => readLedger(lectureId)).toHaveLength(1);
  await trpc.folders.delete.mutate({ id: folderId });
  await line.message("error", ({ code }) => code === "not_found");
  await expect.poll(() => line.closed?.code).toBe(1008);
  await expect
    .poll(async () => (await readLedger(lectureId)).map((row) => row.closedAt !== null))
    .toEqual([true]);
  expect((await readLedger(lectureId))[0]?.recordedMs).toBeGreaterThan(0);
});

describe("the names of lectures", () => {
  test("are those that exist, also in the trash, and no longer those that were deleted for good", async () => {
    const { trpc } = await openSignedIn();
    const [kept, deleted] = [newId(), newId()];
    for (const id of [kept, deleted])
      await trpc.lectures.create.mutate({ id, title: `Light ${id}`, targetLanguage: "fr" });
    const ids = [kept, deleted, newId()];
    const deletion = await trpc.lectures.delete.mutate({ id: deleted });
    const { lectures: names } = await trpc.lectures.names.query({ ids });
    expect(new Map(names.map(({ id, isDeleted }) => [id, isDeleted]))).toEqual(
      new Map([
        [kept, false],
        [deleted, true],
      ]),
    );
    expect(names.find(({ id }) => id === kept)?.title).toBe(`Light ${kept}`);
    await trpc.trash.remove.mutate({ id: deletion.id ?? "" });
    const { userId, lectures } = await trpc.lectures.names.query({ ids });
    expect(lectures.map(({ id }) => id)).toEqual([kept]);
    const stranger = await openSignedIn();
    const answer = await stranger.trpc.lectures.names.query({ ids });
    expect(answer.lectures).toEqual([]);
    expect(answer.userId).not.toBe(userId);
    const tooMany = Array.from({ length: 101 }, newId);
    expect(await getErrorCode(trpc.lectures.names.query({ ids: tooMany }))).toBe(
      "validation_failed",
    );
  });
});

describe("a lecture over HTTP", () => {
  test("is created, filled, saved, listed, opened and deleted by its owner", async () => {
    const { trpc } = await openSignedIn();
    const id = crypto.randomUUID();
    const draft = { id, title: "Optics", targetLanguage: "fr" as const };
    const made = await trpc.lectures.create.mutate(draft);
    expect(made).toMatchObject({ id, title: "Optics", status: "draft", excerpt: "", usedTime: 0 });
    expect(await trpc.lectures.create.mutate(draft)).toEqual(made);

    const entries = numberRows([createEntry("Light bends."), createEntry("It does.")]);
    const answer = await trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
    expect(answer).toEqual({ seq: 1, changed: [], deletedIds: [], ordinals: {} });
    await trpc.lectures.complete.mutate({ id, title: "Refraction" });
    await trpc.lectures.change.mutate({ id, summary: "Light bends", targetLanguage: "none" });

    const { items, nextCursor } = await trpc.lectures.list.query({});
    expect([items.length, nextCursor]).toEqual([1, null]);
    expect(items[0]).toMatchObject({ status: "completed", excerpt: "Light bends. It does." });
    expect(await trpc.lectures.get.query({ id })).toMatchObject({
      title: "Refraction",
      summary: "Light bends",
      targetLanguage: "none",
      entries: entries.map((entry) => ({ ...entry, seq: 1 })),
      seq: 1,
    });

    await trpc.lectures.delete.mutate({ id });
    expect((await trpc.lectures.list.query({})).items).toEqual([]);
    expect(await getErrorCode(trpc.lectures.get.query({ id }))).toBe("not_found");
    expect(await getErrorCode(trpc.lectures.delete.mutate({ id }))).toBe("not_found");
    expect(await getErrorCode(trpc.lectures.create.mutate(draft))).toBe("conflict");
  });

  test("is saved into a folder of its owner's, or not at all", async () => {
    const { trpc } = await openSignedIn();
    const stranger = await openSignedIn();
    const [id, folderId, theirs, deleted] = [newId(), newId(), newId(), newId()];
    await trpc.lectures.create.mutate({ id, title: "Draft", targetLanguage: "fr" });
    for (const own of [folderId, deleted])
      await trpc.folders.create.mutate({ id: own, name: own, parentFolderId: null });
    await trpc.folders.delete.mutate({ id: deleted });
    await stranger.trpc.folders.create.mutate({ id: theirs, name: "T", parentFolderId: null });
    for (const missing of [theirs, deleted, newId()]) {
      const saved = trpc.lectures.complete.mutate({ id, title: "Optics", folderId: missing });
      expect(await getErrorCode(saved)).toBe("conflict");
    }
    const read = () => trpc.lectures.item.query({ id });
    expect(await read()).toMatchObject({ title: "Draft", status: "draft", folderId: null });
    const title = { title: "Optics" };
    expect(await trpc.lectures.complete.mutate({ id, ...title, folderId })).toEqual(title);
    const saved = { ...title, status: "completed", folderId };
    expect(await read()).toMatchObject(saved);
    const proposed = { id, title: "A proposal", titleSource: "proposed" } as const;
    expect(await trpc.lectures.complete.mutate(proposed)).toEqual(title);
    expect(await read()).toMatchObject(saved);
    await trpc.lectures.complete.mutate({ id, ...title, folderId: null });
    expect(await read()).toMatchObject({ ...saved, folderId: null });
  });

  test("accepts 500 long entries in one body", async () => {
    const { trpc } = await openSignedIn();
    const id = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id, title: "Long", targetLanguage: "zh" });
    const entries = Array.from({ length: 500 }, (_, ordinal) =>
      createEntry(`${ordinal} ${"语".repeat(900)}`, 0, { ordinal }),
    );
    const saved = { seq: 1, changed: [], deletedIds: [], ordinals: {} };
    expect(await trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] })).toEqual(
      saved,
    );
    const first = await trpc.lectures.get.query({ id });
    const rest = await trpc.lectures.get.query({ id, cursor: first.nextCursor });
    expect([...first.entries, ...rest.entries].map(({ original }) => original)).toEqual(
      entries.map(({ original }) => original),
    );
    expect(rest.nextCursor).toBeNull();
  });
});
