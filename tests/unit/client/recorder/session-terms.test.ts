import { expect, it } from "vitest";
import { openPage, recordWords } from "./kit/harness.ts";
import { createTerms } from "./kit/hint-source.ts";
import { range, wordsIn } from "./kit/simulated-room.ts";

const folderIds = [null];
const entropy = createTerms(["entropy", "熵"]).map((term) => ({ ...term, folderId: null }));
const heat = createTerms("heat").map((term) => ({ ...term, folderId: null }));

it("tells the room the lecture's terms, and others only a minute later", async () => {
  const { world, page } = openPage();
  world.server.glossaries.set(null, { folderIds, terms: entropy });
  await page.record();
  await page.say(1, 10);
  const told = [{ term: "entropy", translation: "熵" }];
  expect([world.room.configs.at(-1)?.terms ?? [], ...world.room.terms].at(-1)).toEqual(told);
  const { length } = world.room.terms;

  world.server.glossaries.set(null, { folderIds, terms: heat });
  page.lecture.refreshTerms();
  await page.say(11, 20);
  expect(world.room.terms).toHaveLength(length);
  await world.clock.advance(60_000);
  await page.say(21, 40);
  await page.stop();
  expect(world.room.terms.slice(length)).toEqual([[{ term: "heat" }]]);
  expect(wordsIn(page.text())).toEqual(range(1, 40));
});

it("tells terms only at the start to a room that does not know the message", async () => {
  const { world, page } = openPage();
  world.room.acceptsTerms = false;
  await page.record();
  await page.say(1, 5);
  world.server.glossaries.set(null, { folderIds, terms: entropy });
  page.lecture.refreshTerms();
  await page.say(6, 10);
  await page.stop();
  expect(world.room.configs.at(-1)).not.toHaveProperty("terms");
  await page.recordWords(11, 20);
  expect(world.room.configs.at(-1)?.terms).toHaveLength(1);
  expect(wordsIn(page.text())).toEqual(range(1, 20));
});

it("says what a lecture is about as far as a person wrote it", async () => {
  const { world, page } = await recordWords(5);
  expect(world.room.configs.at(-1)).not.toHaveProperty("topic");
  const { lecture } = page.view;
  page.session.onLectureRenamed(lecture?.id ?? "", "Heat and work");
  await page.recordWords(6, 10);
  expect(world.room.configs.at(-1)?.topic).toBe("Heat and work");
});
