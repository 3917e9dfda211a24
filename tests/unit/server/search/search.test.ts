import { expect, test } from "vitest";
import { appendEntries } from "../../../../src/server/lectures/append.ts";
import { createLecture } from "../../../../src/server/lectures/queries.ts";
import { searchLectures } from "../../../../src/server/search/search.ts";
import { addUser, testDatabase } from "../support/database.ts";

const database = testDatabase();
test("try", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const id = crypto.randomUUID();
  const now = new Date();
  await createLecture(db, { userId, id, title: "Optics", targetLanguage: "zh-cn", now });
  await appendEntries(db, {
    userId,
    lectureId: id,
    from: 0,
    now,
    entries: [
      {
        english: "Light bends at the surface.",
        translated: "光在表面弯曲。",
        speaker: null,
        startMs: 1,
        endMs: 2,
        revision: 0,
      },
      {
        english: "Machine studies are fun.",
        translated: "机器学习很有趣。",
        speaker: null,
        startMs: 3,
        endMs: 4,
        revision: 0,
      },
    ],
  });
  for (const query of [
    "optic",
    "bending",
    "study",
    "机器学习",
    "学",
    "弯",
    "曲",
    "optics 机器",
    "the",
    "surf",
    "zebra",
    "趣",
  ])
    console.log(query, JSON.stringify(await searchLectures(db, { userId, query, cursor: null })));
  const { rows } = await db.execute("select lecture_id, passage, words::text from search_passages");
  console.log(rows);
});
