import { expect, test } from "vitest";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { failRequests } from "./support.ts";

/** A meeting of late Wednesday, 6 May 2026, in UTC. */
async function openMeeting() {
  const { trpc } = await openSignedIn();
  const lectureId = crypto.randomUUID();
  await trpc.lectures.create.mutate({
    id: lectureId,
    title: "Plans",
    targetLanguage: "fr",
    recordedAt: "2026-05-06T22:30:00.000Z",
  });
  const entries = numberRows([
    createEntry(`I'll send the slides of ${lectureId} by Friday.`, 0, { speaker: "1" }),
    createEntry("Ben, can you book the room tomorrow?", 5_000, { speaker: "2" }),
    createEntry("The budget was not discussed.", 9_000, { speaker: "1" }),
  ]);
  await trpc.lectures.saveRows.mutate({ lectureId, entries, deleted: [] });
  await trpc.lectures.change.mutate({ id: lectureId, speakerNames: { "1": "Anna" } });
  return { trpc, lectureId, entries };
}

test("finds who is to do what until when, keeps it with the lecture, and finds the same again", async () => {
  const { trpc, lectureId, entries } = await openMeeting();
  const input = { lectureId, timeZone: "Asia/Shanghai" };
  const found = await trpc.actionItems.find.mutate(input);
  expect(found).toMatchObject({
    items: [
      {
        who: "Anna",
        due: "by Friday",
        dueOn: "2026-05-08",
        rows: [{ id: entries[0]?.id, startMs: 0 }],
      },
      // There it was Thursday.
      { who: "Ben", task: "Book the room", due: "tomorrow", dueOn: "2026-05-08", isDone: false },
    ],
    leftOut: 0,
  });
  expect((await trpc.lectures.get.query({ id: lectureId })).actionItems).toEqual(found.items);
  const [first, second] = found.items;
  if (!first || !second) throw new Error("no items");
  const done = [first, { ...second, isDone: true }];
  await trpc.lectures.change.mutate({ id: lectureId, actionItems: done });
  expect(await trpc.actionItems.find.mutate(input)).toEqual({ items: done, leftOut: 0 });
  expect((await trpc.backups.lecture.query({ id: lectureId })).lecture.actionItems).toEqual(done);
});

test("changes nothing where the model fails, and refuses what it cannot read", async () => {
  const { trpc, lectureId } = await openMeeting();
  await failRequests(lectureId, { fail: "error" });
  const code = (input: { lectureId: string; timeZone?: string }) =>
    getErrorCode(trpc.actionItems.find.mutate(input));
  expect(await code({ lectureId })).toBe("llm_failed");
  expect((await trpc.lectures.get.query({ id: lectureId })).actionItems).toEqual([]);
  expect(await code({ lectureId, timeZone: "Mars/Base" })).toBe("validation_failed");
  const empty = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id: empty, title: "Empty", targetLanguage: "fr" });
  expect(await code({ lectureId: empty })).toBe("validation_failed");
  const tooMany = Array.from({ length: 101 }, () => ({
    ...{ id: crypto.randomUUID(), task: "x", who: null, due: null, dueOn: null, rows: [] },
    ...{ isDone: false, byHand: true },
  }));
  const change = (actionItems: typeof tooMany) =>
    getErrorCode(trpc.lectures.change.mutate({ id: lectureId, actionItems }));
  expect(await change(tooMany)).toBe("validation_failed");
  const [one] = tooMany;
  if (!one) throw new Error("no item");
  for (const wrong of [{ task: " " }, { dueOn: "2026-02-30" }, { who: "x".repeat(81) }])
    expect(await change([{ ...one, ...wrong } as typeof one])).toBe("validation_failed");
  expect(await change([one, one])).toBe("validation_failed");
});
