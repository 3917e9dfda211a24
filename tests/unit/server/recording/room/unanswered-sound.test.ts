import { describe, expect, test } from "vitest";
import { overlapMs } from "#server/recording/room/progress.ts";
import { fullChunks } from "#server/recording/room/unanswered-sound.ts";
import { createMark, createWord, TestRoom, takeId } from "./test-room.ts";

/** A room with a server that sends nothing while nobody speaks. */
function createRoom(): TestRoom {
  const room = new TestRoom();
  room.answersSilence = false;
  return room.ready();
}

/** Lets time pass; the page sends its keepalives. */
function wait(room: TestRoom, ms: number): void {
  for (let left = ms; left > 0; left -= 10_000) {
    room.browser({ type: "keepalive" });
    room.pass(Math.min(left, 10_000));
  }
}

const listControls = (room: TestRoom) =>
  room.listEffects("sendControl").map(({ control }) => control);

describe("a server that sends nothing in silence", () => {
  test("is not taken for lost while it is silent", () => {
    const room = createRoom().speak(0, 79);
    expect(room.session).toBe(1);
    expect(room.listEffects("closeProvider")).toEqual([]);
    expect(listControls(room)).toEqual([]);
  });

  test("costs the page neither its connection nor its live words", () => {
    const room = createRoom().speak(0, 3);
    room.transcribe([createWord("light", 100, 500, { isFinal: false })], 0, 0);
    room.take();
    for (let seq = 4; seq < 64; seq += 1) {
      room.speak(seq, seq);
      room.pass(0);
    }
    const repeated = room.listSent("tokens");
    expect(repeated.length).toBeGreaterThanOrEqual(2);
    // "Waiting to be sent" would be wrong: it has nothing to say.
    expect(repeated.at(-1)?.audio_total_proc_ms).toBeGreaterThan(10_000);
    expect(room.listSent("ack")).toEqual([]);
    for (const { tokens } of repeated) expect(tokens.map(({ text }) => text)).toEqual([" light"]);
  });

  test("is asked to end once much sound waits, and the next session begins before what follows", () => {
    const room = createRoom().speak(0, 9);
    room.transcribe([createWord("light", 100, 500)], 500, 0);
    room.speak(10, fullChunks);
    room.pass(0);
    expect(listControls(room).at(-1)).toBe("finalize");
    const heardMs = (fullChunks + 1) * 256;
    room.take();
    room.answerFinalize(heardMs, [createWord("bends.", 600, 900)]);
    // What it has heard needs no words any more, except what leads in to the next session.
    const acknowledged = Math.floor((heardMs - overlapMs) / 256) - 1;
    const ack = { type: "ack", seq: acknowledged, take: takeId, mayLackWords: true };
    expect(room.listSent("ack").at(-1)).toEqual(ack);
    expect(room.listEffects("closeProvider")).toHaveLength(1);
    expect(room.listEffects("openProvider")).toEqual([]);
    room.speak(fullChunks + 1, fullChunks + 1);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.providerOpened();
    expect(room.listEffects("sendAudio")).toHaveLength(fullChunks + 1 - acknowledged);
    expect(room.listEffects("log").map(({ event }) => event)).not.toContain("provider_lost");
  });

  test("is not asked to end while it answers, however much sound waits", () => {
    const room = createRoom();
    for (let seq = 0; seq <= fullChunks + 20; seq += 1) {
      room.speak(seq, seq);
      room.pass(0);
      if (seq % 20 === 0) room.transcribe([createWord("so", 0, 0, { isFinal: false })], 0, 0);
    }
    expect(listControls(room)).toEqual([]);
  });

  test("is replaced, and gets all sound without words again, if it does not answer then either", () => {
    const room = createRoom().speak(0, fullChunks);
    room.pass(0);
    room.take();
    wait(room, 61_000);
    expect(room.listSent("ack")).toEqual([]);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.take();
    room.providerOpened();
    expect(room.listEffects("sendAudio").length).toBeGreaterThan(30);
  });

  test("counts as having read what it had got when it answered before", () => {
    const room = createRoom().speak(0, 9);
    room.transcribe([createWord("a", 0, 0, { isFinal: false })], 0, 0);
    room.speak(10, 19);
    room.take();
    room.transcribe([createWord("a b", 0, 0, { isFinal: false })], 0, 0);
    // The message of the same step says nothing new.
    room.transcribe([createWord("a b", 0, 0, { isFinal: false })], 0, 0);
    expect(room.listSent("tokens").map((one) => one.audio_total_proc_ms)).toEqual([2_560, 2_560]);
    expect(room.listSent("ack")).toEqual([]);
  });
});

describe("a stop", () => {
  const stop = () => {
    const room = createRoom().speak(0, 39);
    room.finalize();
    room.take();
    return room;
  };

  test("waits for a server that still answers", () => {
    const room = stop();
    for (let word = 0; word < 12; word += 1) {
      wait(room, 9_000);
      room.transcribe([createWord(`${word}`, word * 300, word * 300 + 200)], word * 300 + 200);
    }
    expect(room.session).toBe(1);
    expect(room.refusals).toBe("");
    room.transcribe([createMark("<fin>", 10_240)], 10_240);
    expect(room.sentTypes.at(-1)).toBe("finalized");
  });

  test("waits five minutes for a final word of a server that answers with others", () => {
    const room = stop();
    for (let passed = 0; passed < 295_000; passed += 5_000) {
      wait(room, 5_000);
      room.transcribe([createWord("so", 0, 200, { isFinal: false })], 0, 200);
    }
    expect(room.session).toBe(1);
    wait(room, 12_000);
    expect(room.session).toBe(2);
  });

  test("tells the page that it goes on, and tries another session where nothing comes", () => {
    const room = stop();
    wait(room, 59_500);
    // The page treats a connection without any for 10 s as dead.
    expect(room.listSent("tokens").length).toBeGreaterThanOrEqual(10);
    expect(room.session).toBe(1);
    wait(room, 1_000);
    expect(room.session).toBe(2);
  });
});

describe("a session that has been asked to end", () => {
  const lastSent = fullChunks;
  const heardMs = (lastSent + 1) * 256;
  const leadInChunks = Math.ceil(overlapMs / 256);
  /** It has got the chunks up to `lastSent`, and speech goes on for `more` chunks. */
  const endWhileSpeaking = (more: number) => {
    const room = createRoom().speak(0, lastSent);
    room.pass(1);
    expect(listControls(room).at(-1)).toBe("finalize");
    room.take();
    return room.speak(lastSent + 1, lastSent + more);
  };
  const listEvents = (room: TestRoom) => room.listEffects("log").map(({ event }) => event);

  test("gets no sound any more, and the page is not told that it has read it", () => {
    const room = endWhileSpeaking(20);
    room.transcribe([createWord("light", 100, 500)], 500, 0);
    room.pass(6_000);
    expect(room.listEffects("sendAudio")).toEqual([]);
    for (const { audio_total_proc_ms } of room.listSent("tokens"))
      expect(audio_total_proc_ms).toBeLessThanOrEqual(heardMs);
  });

  test("is followed by one that gets the rest and the stop that came meanwhile", () => {
    const room = endWhileSpeaking(5);
    room.finalize();
    expect(listControls(room)).toEqual([]);
    room.answerEnd(heardMs, [createWord("bends.", 600, 900)]);
    expect(room.listSent("finalized")).toEqual([]);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.providerOpened();
    // What the first one has heard is not recognised anew, except for what leads in to the rest.
    expect(room.listEffects("sendAudio").length).toBeLessThanOrEqual(leadInChunks + 5);
    expect(listControls(room)).toEqual(["finalize"]);
    room.answerEnd((leadInChunks + 5) * 256);
    expect(room.listSent("ack").at(-1)?.seq).toBe(lastSent + 5);
    expect(room.sentTypes.at(-1)).toBe("finalized");
    expect(listEvents(room)).not.toContain("provider_lost");
  });

  test("is followed by one for what is said after a stop that was taken back", () => {
    const room = createRoom().speak(0, 9);
    room.finalize();
    room.speak(10, 14);
    room.take();
    room.answerEnd(2_560, [createWord("light", 100, 500)]);
    room.providerOpened();
    expect(room.listEffects("sendAudio")).toHaveLength(5);
    expect(listEvents(room)).toEqual(["provider_opened"]);
  });

  test("leaves what it has not heard to the next one", () => {
    const room = createRoom().speak(0, 39);
    room.finalize();
    room.take();
    const heardChunks = 20;
    room.answerEnd(heardChunks * 256, [createWord("light", 100, 500)]);
    expect(room.listSent("ack").at(-1)?.seq ?? -1).toBeLessThan(heardChunks - leadInChunks);
    expect(room.listSent("finalized")).toEqual([]);
    expect(listEvents(room)).toContain("provider_heard_less");
    room.providerOpened();
    expect(room.listEffects("sendAudio").length).toBeGreaterThanOrEqual(20 + leadInChunks - 1);
    room.answerEnd((20 + leadInChunks) * 256);
    expect(room.sentTypes.at(-1)).toBe("finalized");
  });

  test("is taken for lost, without an acknowledgement, if it has heard nothing of its sound", () => {
    const room = endWhileSpeaking(5);
    room.answerEnd(256);
    expect(listEvents(room)).toContain("provider_lost");
    expect(room.listSent("ack")).toEqual([]);
  });

  test.each([
    ["late, if it still answers", true, "provider_late"],
    ["lost, if it is silent", false, "provider_lost"],
  ])("is called %s after its time", (_, answers, event) => {
    const room = endWhileSpeaking(1);
    for (let passed = 0; passed < 300_000 && room.session === 1; passed += 5_000) {
      wait(room, 5_000);
      if (answers) room.transcribe([createWord("so", 0, 200, { isFinal: false })], 0, 200);
    }
    wait(room, 2_000);
    expect(listEvents(room).filter((one) => one.startsWith("provider_l"))).toEqual([event]);
  });

  test("makes a stop fail, rather than wait for ever, if none hears anything", () => {
    const room = createRoom().speak(0, 29);
    room.finalize();
    for (let times = 0; times < 2; times += 1) {
      room.answerEnd(256);
      room.pass(1_500);
      room.providerOpened();
    }
    expect(room.refusals).toBe("unavailable retryable");
    expect(room.listSent("ack")).toEqual([]);
  });
});

test("a session that opens after the stop has as long as one that was open", () => {
  const room = createRoom().speak(0, 9);
  room.step({ type: "providerClosed", sessionId: room.session, code: 1006 });
  room.finalize();
  room.pass(4_000);
  room.providerOpened();
  const { session } = room;
  wait(room, 50_000);
  expect(room.session).toBe(session);
  room.answerEnd(2_560, [createWord("light", 100, 500)]);
  expect(room.sentTypes.at(-1)).toBe("finalized");
});
