import fc from "fast-check";
import { expect, it } from "vitest";
import type { RoomEffect } from "#server/recording/room/events.ts";
import { RecentWords, toSharedSpeech, toSharedStart } from "#server/sharing/recorded-speech.ts";
import { createShareState, type ShareState } from "#server/sharing/room/state.ts";
import { acceptSpeech, updateLiveLine } from "#server/sharing/room/status.ts";
import type { RelayToken } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { TestRoom } from "#tests/unit/server/recording/room/test-room.ts";

const connected = new TestRoom();
connected.connect();
const recording = new TestRoom().ready();

const toEffects = (tokens: readonly RelayToken[]): RoomEffect[] => [
  {
    type: "send",
    socketId: "socket",
    message: {
      type: "tokens",
      tokens: [...tokens],
      audio_final_proc_ms: 0,
      audio_total_proc_ms: 0,
    },
  },
];

/** What readers see after the row that ends at `rowsEndMs`. */
function readLine(share: ShareState, rowsEndMs: number) {
  share.rowsEndMs = rowsEndMs;
  updateLiveLine(share);
  return share.live;
}

const wordMs = 300;

/** A recording of `messages`, each with new final words and some interim ones; words are numbered. */
const speechOf = (messages: readonly { finals: number; interim: number }[]): RelayToken[][] => {
  let spoken = 0;
  const word = (index: number, isFinal: boolean): RelayToken => ({
    text: ` word${index}`,
    is_final: isFinal,
    start_ms: index * wordMs,
    end_ms: (index + 1) * wordMs,
  });
  return messages.map(({ finals, interim }) => {
    const from = spoken;
    spoken += finals;
    return Array.from({ length: finals + interim }, (_, index) =>
      word(from + index, index < finals),
    );
  });
};

it("shows a reader that joins at any time what a reader from the beginning sees", () => {
  const count = fc.nat({ max: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ finals: count, interim: count }), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      (messages, joinsAt, row) => {
        const batches = speechOf(messages).map(toEffects);
        const shares = [createShareState(null, [], "early"), createShareState(null, [], "late")];
        const [early, late] = shares as [ShareState, ShareState];
        const accept = (share: ShareState, speech: ReturnType<typeof toSharedSpeech>) => {
          if (speech) acceptSpeech({ room: share, effects: [], now: 0 }, speech);
        };
        const recent = new RecentWords();
        batches.forEach((effects, index) => {
          const speech = toSharedSpeech("live", { type: "alarm" }, recording.state, effects);
          recent.add(effects);
          accept(early, speech);
          // It may have been told of some words before it was followed.
          if (index % 2 === 0 || index > joinsAt % batches.length) accept(late, speech);
          if (index === joinsAt % batches.length)
            accept(late, toSharedStart(recording.state, recent));
        });
        const rowsEndMs = (row % 20) * wordMs;
        expect(readLine(late, rowsEndMs)).toEqual(readLine(early, rowsEndMs));
      },
    ),
    { numRuns: countRuns(200) },
  );
});

it("keeps the last 4,000 characters, and tells nothing where nothing is recorded", () => {
  const [first = []] = speechOf([{ finals: 1_000, interim: 2 }]);
  const recent = new RecentWords();
  recent.add(toEffects(first));
  const { finals, interim } = recent.read();
  const text = finals.map((word) => word.text).join("");
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(text.length).toBeGreaterThan(3_900);
  expect(text).toMatch(/ word999$/);
  expect(interim).toHaveLength(2);
  recent.add([]);
  expect(recent.read()).toEqual({ finals, interim });
  expect(toSharedStart(connected.state, recent)).toBeNull();
});

it("looks at few other words with each word of a long recording", () => {
  let looks = 0;
  const recent = new RecentWords();
  const count = 5_000;
  for (let index = 0; index < count; index += 1) {
    const token = {
      get text() {
        looks += 1;
        return ` word${index}`;
      },
      is_final: true,
    };
    recent.add(toEffects([token]));
  }
  // By the old way each word looked at all that are kept: 440.
  expect(looks / count).toBeLessThan(20);
  expect(recent.read().finals.at(-1)?.text).toBe(` word${count - 1}`);
});
