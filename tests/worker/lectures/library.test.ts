import { describe, expect, test } from "vitest";
import { Line, ledgerOf, spoken } from "../recording/support.ts";
import { openSignedIn } from "../support/client.ts";
import { codeOf, refusalOf } from "../support/codes.ts";

const newId = () => crypto.randomUUID();

describe("a library over HTTP", () => {
  test("folders and lectures are made, moved, found, deleted together and brought back together", async () => {
    const { trpc } = await openSignedIn();
    const [physics, optics, lecture, loose] = [newId(), newId(), newId(), newId()];
    await trpc.folders.create.mutate({ id: physics, name: " Physics ", parentFolderId: null });
    await trpc.folders.create.mutate({ id: optics, name: "Optik", parentFolderId: physics });
    await trpc.folders.rename.mutate({ id: optics, name: "Optics" });
    for (const id of [lecture, loose])
      await trpc.lectures.create.mutate({ id, title: `Light ${id}`, targetLanguage: "fr" });
    await trpc.lectures.move.mutate({ id: lecture, folderId: optics });
    const tree = await trpc.folders.list.query();
    expect(tree).toMatchObject({ total: 2, uncategorized: 1 });
    expect(tree.folders).toMatchObject([
      { id: optics, name: "Optics", parentFolderId: physics, lectures: 1 },
      { id: physics, name: "Physics", parentFolderId: null, lectures: 0 },
    ]);
    expect(await codeOf(trpc.folders.move.mutate({ id: physics, parentFolderId: optics }))).toBe(
      "conflict",
    );
    expect((await trpc.lectures.list.query({ folderId: optics })).items).toMatchObject([
      { id: lecture, folderId: optics },
    ]);
    expect(await trpc.lectures.item.query({ id: lecture })).toEqual(
      (await trpc.lectures.list.query({ folderId: optics })).items[0],
    );
    expect(await codeOf(trpc.lectures.item.query({ id: newId() }))).toBe("not_found");
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
    expect(await trpc.folders.list.query()).toEqual(tree);
    expect((await trpc.trash.list.query({})).items).toEqual([]);

    expect(
      await refusalOf(trpc.lectures.deleteAll.mutate({ confirmation: "delete" })),
    ).toMatchObject({ appCode: "validation_failed", messageKey: "validation.typeDeleteAll" });
    const all = await trpc.lectures.deleteAll.mutate({ confirmation: " Delete ALL " });
    expect(all).toMatchObject({ lectures: 2, folders: 0 });
    expect((await trpc.folders.list.query()).folders).toHaveLength(2);
    await trpc.trash.remove.mutate({ id: all.id ?? "" });
    expect(await codeOf(trpc.trash.restore.mutate({ id: all.id ?? "" }))).toBe("not_found");
    expect(await trpc.trash.empty.mutate()).toEqual({ items: 0 });
  });

  test("names are trimmed and bounded, blank ones refused", async () => {
    const { trpc } = await openSignedIn();
    const id = newId();
    for (const name of ["", "  ", "\u3000\t", "x".repeat(201), "a\0b"])
      expect(await codeOf(trpc.folders.create.mutate({ id, name, parentFolderId: null }))).toBe(
        "validation_failed",
      );
    await trpc.folders.create.mutate({ id, name: "x".repeat(200), parentFolderId: null });
    expect(await codeOf(trpc.folders.rename.mutate({ id, name: " " }))).toBe("validation_failed");
  });
});

test("deleting the folder of a recording ends it first, and its time is charged", async () => {
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
  // Since its first write to the ledger the room is known to record.
  await expect.poll(() => ledgerOf(lectureId)).toHaveLength(1);
  await trpc.folders.delete.mutate({ id: folderId });
  await line.message("error", ({ code }) => code === "not_found");
  await expect.poll(() => line.closed?.code).toBe(1008);
  await expect
    .poll(async () => (await ledgerOf(lectureId)).map((row) => row.closedAt !== null))
    .toEqual([true]);
  expect((await ledgerOf(lectureId))[0]?.recordedMs).toBeGreaterThan(0);
});
