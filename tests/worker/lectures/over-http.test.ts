import { describe, expect, test } from "vitest";
import { openBrowser, openSignedIn } from "../support/client.ts";

const entry = (english: string, revision = 0) => ({
  english,
  translated: "",
  translatedInto: null,
  translatedByHand: false,
  speaker: null,
  startMs: 0,
  endMs: 5,
  revision,
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "no error",
    (error) => error.data?.appCode,
  );

describe("a lecture over HTTP", () => {
  test("is made, filled, saved, listed, opened and deleted by its owner", async () => {
    const { trpc } = await openSignedIn();
    const id = crypto.randomUUID();
    const draft = { id, title: "Optics", targetLanguage: "fr" as const };
    const made = await trpc.lectures.create.mutate(draft);
    expect(made).toMatchObject({ id, title: "Optics", status: "draft", preview: "", usedTime: 0 });
    expect(await trpc.lectures.create.mutate(draft)).toEqual(made);

    const answer = await trpc.lectures.appendEntries.mutate({
      lectureId: id,
      from: 0,
      entries: [entry("Light bends."), entry("It does.")],
    });
    expect(answer).toEqual({ nextPosition: 2 });
    await trpc.lectures.complete.mutate({ id, title: "Refraction" });
    await trpc.lectures.change.mutate({ id, summary: "Light bends", targetLanguage: "none" });

    const { items, nextCursor } = await trpc.lectures.list.query({});
    expect([items.length, nextCursor]).toEqual([1, null]);
    expect(items[0]).toMatchObject({ status: "completed", preview: "Light bends. It does." });
    expect(await trpc.lectures.get.query({ id })).toMatchObject({
      title: "Refraction",
      summary: "Light bends",
      targetLanguage: "none",
      entries: [entry("Light bends."), entry("It does.")],
    });

    await trpc.lectures.delete.mutate({ id });
    expect((await trpc.lectures.list.query({})).items).toEqual([]);
    expect(await codeOf(trpc.lectures.get.query({ id }))).toBe("not_found");
    expect(await codeOf(trpc.lectures.delete.mutate({ id }))).toBe("not_found");
    expect(await codeOf(trpc.lectures.create.mutate(draft))).toBe("conflict");
  });

  test("is closed to everybody else, and to nobody signed in", async () => {
    const owner = await openSignedIn();
    const stranger = await openSignedIn();
    const id = crypto.randomUUID();
    const draft = { id, title: "Mine", targetLanguage: "es" as const };
    await owner.trpc.lectures.create.mutate(draft);
    expect(await codeOf(stranger.trpc.lectures.create.mutate(draft))).toBe("conflict");
    expect(await codeOf(stranger.trpc.lectures.get.query({ id }))).toBe("not_found");
    expect(await codeOf(stranger.trpc.lectures.rename.mutate({ id, title: "Theirs" }))).toBe(
      "not_found",
    );
    const append = { lectureId: id, from: 0, entries: [entry("x")] };
    expect(await codeOf(stranger.trpc.lectures.appendEntries.mutate(append))).toBe("not_found");
    expect(await codeOf(openBrowser().trpc.lectures.get.query({ id }))).toBe("unauthenticated");
  });

  test("a full append of 500 long entries passes the body limit", async () => {
    const { trpc } = await openSignedIn();
    const id = crypto.randomUUID();
    await trpc.lectures.create.mutate({ id, title: "Long", targetLanguage: "zh" });
    const entries = Array.from({ length: 500 }, (_, n) => entry(`${n} ${"语".repeat(900)}`));
    expect(await trpc.lectures.appendEntries.mutate({ lectureId: id, from: 0, entries })).toEqual({
      nextPosition: 500,
    });
    expect((await trpc.lectures.get.query({ id })).entries).toHaveLength(500);
  });
});
