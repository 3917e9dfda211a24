import { describe, expect, test } from "vitest";
import {
  addSpokenWords,
  identifySpeaker,
  type SpeakerTurn,
} from "#server/recording/room/speaker-mapping.ts";
import { createMark, createWord, TestRoom } from "./test-room.ts";

const turns: SpeakerTurn[] = [
  { speaker: "1", startMs: 0, endMs: 5_000 },
  { speaker: "2", startMs: 5_200, endMs: 9_000 },
];

describe("a session's speaker", () => {
  test("is who spoke at that time, if the session repeats audio", () => {
    expect(identifySpeaker(turns, {}, "1", 6_000)).toBe("2");
    expect(identifySpeaker(turns, {}, "1", 2_000)).toBe("1");
  });

  test("does not change once it is known", () => {
    expect(identifySpeaker(turns, { "1": "2" }, "1", 2_000)).toBe("2");
  });

  test("without repeated audio is the last speaker, then the one before, then a new one", () => {
    expect(identifySpeaker(turns, {}, "1", 20_000)).toBe("2");
    expect(identifySpeaker(turns, { "1": "2" }, "2", 20_000)).toBe("1");
    expect(identifySpeaker(turns, { "1": "2", "2": "1" }, "3", 20_000)).toBe("3");
  });

  test("keeps its own number in the first session, and gets a free one otherwise", () => {
    expect(identifySpeaker([], {}, "1", 0)).toBe("1");
    expect(identifySpeaker(turns, { a: "1", b: "2" }, "1", 20_000)).toBe("3");
  });

  test("is remembered for any time with a bounded list of turns", () => {
    let many: readonly SpeakerTurn[] = [{ speaker: "9", startMs: 0, endMs: 100 }];
    for (let turn = 1; turn < 500; turn += 1)
      many = addSpokenWords(many, String(turn % 2), turn * 1_000, turn * 1_000 + 500);
    expect(many.length).toBeLessThan(30);
    expect(many[0]?.speaker).toBe("9");
  });
});

test("keeps speakers' numbers over a change of session", () => {
  const room = new TestRoom().ready().speak(0, 19);
  room.transcribe(
    [
      createWord("one", 100, 500, { speaker: "1" }),
      createWord("two", 4_000, 4_400, { speaker: "2" }),
      createMark("<end>", 4_400),
    ],
    4_400,
    5_120,
  );
  room.replaceSession(300);
  room.take();
  // The new session begins at chunk 9, 2,304 ms, and calls the second speaker its first.
  room.transcribe(
    [
      createWord("two", 1_700, 2_090, { speaker: "1" }),
      createWord("three", 2_200, 2_400, { speaker: "1" }),
      createWord("four", 2_500, 2_700, { speaker: "2" }),
    ],
    2_700,
  );
  expect(room.tokens).toMatchObject([
    { text: " three", speaker: "2" },
    { text: " four", speaker: "1" },
  ]);
});

test("keeps the speaker when the room loses its memory while somebody else speaks", () => {
  const room = new TestRoom().ready().speak(0, 19);
  room.transcribe([createWord("one", 100, 500, { speaker: "1" })], 500, 2_560);
  room.transcribe([createWord("two", 2_600, 3_000, { speaker: "2" })], 4_600, 5_120);
  room.evict();
  room.ready({ from: 18, heldMs: 3_000 });
  room.take();
  room.speak(18, 24);
  // The new session hears only the second speaker, and calls that one its first.
  room.transcribe([createWord("three", 200, 600, { speaker: "1" })], 1_700);
  expect(room.tokens).toMatchObject([{ text: " three", speaker: "2" }]);
});
