// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { openStorage, syncKeptLectures } from "#client/state/kept-sound.ts";
import { setVisitor } from "#client/state/visitor.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";

it("sound of a lecture that no longer exists is deleted, kept or not; of others nothing is", async () => {
  const user = createUser("one");
  setVisitor(user);
  const data = new Uint8Array([1, 2]);
  for (const lectureId of ["here", "trash", "gone"])
    for (const isKept of [false, true]) {
      const take = newTake(`${lectureId} ${isKept}`, lectureId, "pcm_s16le");
      const chunks = [{ seq: 0, data }];
      await openStorage()?.write({ ...take, isKept, nextSeq: 1 }, chunks);
    }
  const asked: unknown[] = [];
  fakeServer({
    "lectures.names": (input) => {
      asked.push(input);
      // Also those in the trash that can be restored.
      const lectures = ["here", "trash"].map((id) => ({
        id,
        title: id,
        isDeleted: id === "trash",
      }));
      return { userId: "one", lectures };
    },
  });
  const kept = await syncKeptLectures();
  expect(kept.map(({ id }) => id).sort()).toEqual(["here", "trash"]);
  expect(asked).toEqual([{ ids: expect.arrayContaining(["here", "trash", "gone"]) }]);
  const left = await openStorage()?.list();
  expect(left?.map(({ id }) => id)).toEqual([
    "here false",
    "here true",
    "trash false",
    "trash true",
  ]);
});

it("sound stays if the server does not say which lectures exist", async () => {
  setVisitor(createUser("two"));
  await openStorage()?.write({ ...newTake("take", "lecture", "opus"), nextSeq: 1 }, []);
  fakeServer({ "lectures.names": () => ({ userId: "one", lectures: [] }) });
  await expect(syncKeptLectures()).rejects.toThrow("another user");
  expect(await openStorage()?.list()).toHaveLength(1);
});
