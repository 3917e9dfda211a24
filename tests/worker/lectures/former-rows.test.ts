import { expect, test } from "vitest";
import type { LecturePage } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { ReaderPage, shareLecture } from "#tests/worker/sharing/support.ts";
import { fromOwnPage, openProgram, openSignedIn } from "#tests/worker/support/browser.ts";

type Browser = Pick<Awaited<ReturnType<typeof openSignedIn>>, "browser">;

/** Calls as a page of the version before, which says in `dualect-names` that it knows rows by their index. */
function toFormerPage({ browser }: Browser) {
  const headers = { ...fromOwnPage, "dualect-names": "original" };
  const read = async (response: Response) => {
    const body: { result?: { data: unknown }; error?: { data: { appCode: string } } } =
      await response.json();
    return body.result?.data ?? body.error?.data.appCode;
  };
  return {
    get: async (input: object) => {
      const path = `/trpc/lectures.get?input=${encodeURIComponent(JSON.stringify(input))}`;
      return (await read(await browser.fetch(path, { headers }))) as LecturePage;
    },
    append: async (input: object) =>
      read(
        await browser.fetch("/trpc/lectures.appendEntries", {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(input),
        }),
      ),
  };
}

const createFormer = (original: string, startMs: number, revision = 1) => ({
  original,
  originalByHand: false,
  translated: `fr: ${original}`,
  translatedInto: "fr",
  translatedByHand: false,
  spokenIn: "en",
  speaker: null,
  startMs,
  endMs: startMs + 900,
  revision,
});

async function openLecture() {
  const account = await openSignedIn();
  const lectureId = crypto.randomUUID();
  const lecture = { id: lectureId, title: "Optics", targetLanguage: "fr" } as const;
  await account.trpc.lectures.create.mutate(lecture);
  return { ...account, lectureId, page: toFormerPage(account) };
}

test("a page of the version before saves rows and reads them with their revisions", async () => {
  const { page, trpc, lectureId, user } = await openLecture();
  const [one, two] = [createFormer("One.", 0), createFormer("Two.", 1_000)];
  const input = { lectureId, from: 0, entries: [one, two] };
  // What such a page sends to have its rows between others.
  expect(await page.append({ ...input, insert: true })).toEqual({
    nextPosition: 2,
    isStale: false,
  });
  expect((await page.get({ id: lectureId })).entries).toMatchObject([one, two]);

  const corrected = createFormer("Twice.", 1_000, 2);
  const change = { lectureId, from: 1, entries: [corrected] };
  expect(await page.append(change)).toEqual({ nextPosition: 2, isStale: false });
  const late = { lectureId, from: 1, entries: [createFormer("Deux.", 1_000, 2)] };
  expect(await page.append(late)).toEqual({ nextPosition: 2, isStale: true });
  const { entries } = await page.get({ id: lectureId });
  expect(entries).toMatchObject([one, corrected]);

  // A page of this version knows them by their ids, and has no revisions; nor has a program.
  const present = await trpc.lectures.get.query({ id: lectureId });
  const { trpc: program } = await openProgram(user.id, "read");
  for (const own of [present, await program.lectures.get.query({ id: lectureId })])
    expect(own.entries).toEqual(
      [one, corrected].map(({ revision: _, ...entry }, ordinal) => ({
        ...entry,
        id: entries[ordinal]?.id,
        seq: ordinal + 1,
        ordinal,
      })),
    );
});

test("pages of both versions write into one lecture", async () => {
  const { page, trpc, lectureId } = await openLecture();
  await page.append({ lectureId, from: 0, entries: [createFormer("One.", 0)] });
  const [first] = (await trpc.lectures.get.query({ id: lectureId })).entries;
  if (!first) throw new Error("no row");
  const own = createEntry("Two, here.", 1_500, { ordinal: 1 });
  const entries = [{ ...first, translated: "Un." }, own];
  const saved = await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
  expect(saved).toMatchObject({ changed: [], deletedIds: [] });
  // The page has heard nothing of it.
  const call = { lectureId, from: 1, entries: [createFormer("Two, there.", 1_000)] };
  expect(await page.append(call)).toEqual({ nextPosition: 2, isStale: false });
  const read = await page.get({ id: lectureId });
  expect(read.entries.map(({ original, translated }) => [original, translated])).toEqual([
    ["One.", "Un."],
    ["Two, there.", "fr: Two, there."],
    ["Two, here.", ""],
  ]);
  const since = await trpc.lectures.get.query({ id: lectureId, since: saved.seq });
  expect(since.entries.map(({ original }) => original)).toEqual(["Two, there."]);
  expect(since.deletedIds).toEqual([]);
});

test("its rows reach those who read along", async () => {
  const { browser, lectureId, code } = await shareLecture({ texts: ["One."] });
  const reader = await ReaderPage.open({ code });
  await expect.poll(() => reader.texts).toEqual(["One."]);
  const page = toFormerPage({ browser });
  const entries = [createFormer("Once.", 0, 2), createFormer("Two.", 1_000)];
  await page.append({ lectureId, from: 0, entries });
  await expect.poll(() => reader.texts).toEqual(["Once.", "Two."]);
});

test("it reaches no other user's lecture", async () => {
  const { lectureId, trpc } = await openLecture();
  const { page } = await openLecture();
  const input = { lectureId, from: 0, entries: [createFormer("Theirs.", 0)] };
  expect(await page.append(input)).toBe("not_found");
  expect(await page.get({ id: lectureId })).toBe("not_found");
  expect((await trpc.lectures.get.query({ id: lectureId })).entries).toEqual([]);
});
