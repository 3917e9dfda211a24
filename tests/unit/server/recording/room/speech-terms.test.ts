import { describe, expect, test } from "vitest";
import { createMark, createWord, TestRoom } from "./test-room.ts";

const toTerms = (...names: string[]) => names.map((term) => ({ term }));
const entropy = toTerms("entropy");
const energy = toTerms("energy");

/** Terms with which each session was opened. */
const listTold = (room: TestRoom) =>
  room.listEffects("openProvider").map(({ start }) => start.terms);

/** `ms` of recorded words, each of which ends a sentence. */
function speak(room: TestRoom, ms: number): void {
  const from = room.state.expectedSeq;
  for (let seq = from; seq < from + ms / 256; seq += 1) {
    room.speak(seq, seq);
    if (room.state.provider.kind !== "open") room.providerOpened();
    const { provider } = room.state;
    if (provider.kind !== "open") throw new Error("no session");
    const atMs = (seq + 1) * 256 - provider.startMs;
    const word = createWord(`${seq}.`, atMs - 200, atMs - 56);
    room.transcribe([word, createMark("<end>", atMs)], atMs);
  }
}

describe("the terms of a lecture", () => {
  test("are told to the first session, with what the lecture is about", () => {
    const room = new TestRoom()
      .ready({
        from: 0,
        terms: entropy,
        topic: "Physics",
        context: "Heat",
      })
      .speak(0, 3);
    expect(room.listEffects("openProvider")[0]?.start).toMatchObject({
      terms: entropy,
      topic: "Physics",
      context: "Heat",
    });
    expect(room.listSent("config_acknowledged")).toMatchObject([{ acceptsTerms: true }]);
  });

  test("are changed in a session that can change them, which goes on", () => {
    const room = new TestRoom().ready({ from: 0, terms: entropy }).speak(0, 3);
    room.step({ type: "providerClosed", sessionId: room.session, code: 1006 });
    room.pass(2_000);
    const sessionId = room.session;
    room.step({ type: "providerOpened", sessionId, canChangeTerms: true });
    room.browser({ type: "terms", terms: energy });
    room.browser({ type: "terms", terms: energy });
    expect(room.listEffects("changeTerms")).toEqual([
      { type: "changeTerms", sessionId, terms: energy },
    ]);
    speak(room, 300_000);
    expect(room.session).toBe(sessionId);
  });

  test("wait for a pause some minutes later where the session cannot change them", () => {
    const room = new TestRoom().ready({ from: 0, terms: entropy });
    speak(room, 20_000);
    room.browser({ type: "terms", terms: energy });
    speak(room, 90_000);
    expect(listTold(room)).toEqual([entropy]);
    // In the middle of a sentence nothing happens.
    const seq = room.state.expectedSeq;
    room.speak(seq, seq + 120);
    const session = room.state.provider;
    const atMs = session.kind === "open" ? (seq + 121) * 256 - session.startMs : 0;
    room.transcribe([createWord("word", atMs - 400, atMs, { isFinal: false })], atMs - 400, atMs);
    expect(listTold(room)).toEqual([entropy]);
    room.transcribe([createWord("word.", atMs - 400, atMs), createMark("<end>", atMs)], atMs);
    expect(listTold(room)).toEqual([entropy, energy]);
    const words = room
      .listSent("tokens")
      .flatMap(({ tokens }) => tokens.filter((one) => one.is_final));
    speak(room, 10_000);
    const after = room
      .listSent("tokens")
      .flatMap(({ tokens }) => tokens.filter((one) => one.is_final));
    const texts = after.map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(words.length);
    expect(new Set(texts).size).toBe(texts.length);
    expect(room.refusals).toBe("");
  });

  test("that come first, come at once before the first word, and else at the next pause", () => {
    const early = new TestRoom().ready({ from: 0 }).speak(0, 7);
    early.browser({ type: "terms", terms: entropy });
    expect(listTold(early)).toEqual([[], entropy]);

    const late = new TestRoom().ready({ from: 0 });
    speak(late, 5_000);
    late.browser({ type: "terms", terms: entropy });
    speak(late, 4_000);
    expect(listTold(late)).toEqual([[]]);
    speak(late, 4_000);
    expect(listTold(late)).toEqual([[], entropy]);
  });

  test("open no session while the last words are awaited", () => {
    const room = new TestRoom().ready({ from: 0 });
    speak(room, 12_000);
    room.speak(room.state.expectedSeq, room.state.expectedSeq + 3);
    room.browser({ type: "terms", terms: entropy });
    room.finalize();
    const atMs = room.state.expectedSeq * 256;
    room.transcribe([createWord("end.", atMs - 300, atMs - 100), createMark("<end>", atMs)], atMs);
    expect(room.session).toBe(1);
  });

  test("come too often only from a hostile client, and not before `config`", () => {
    const room = new TestRoom();
    room.connect();
    room.browser({ type: "terms", terms: entropy });
    expect(room.listSent("error")).toMatchObject([{ code: "validation_failed" }]);
    room.config();
    for (let n = 0; n < 10; n += 1) room.browser({ type: "terms", terms: toTerms(`${n}`) });
    expect(room.refusals).toBe("validation_failed rate_limited retryable 1008");
  });
});

describe("a session that is refused with 400", () => {
  test("is opened once more without terms and context, and the recording goes on", () => {
    const room = new TestRoom()
      .ready({
        from: 0,
        terms: entropy,
        context: "Heat",
        topic: "Physics",
      })
      .speak(0, 3);
    room.providerFailed(400);
    room.pass(1_000);
    room.providerOpened();
    room.browser({ type: "terms", terms: energy });
    speak(room, 300_000);
    expect(room.listEffects("openProvider").map(({ start }) => start)).toMatchObject([
      { terms: entropy, context: "Heat", topic: "Physics" },
      { terms: [], context: "", topic: "" },
    ]);
    expect(room.listEffects("log").map(({ event }) => event)).toContain("provider_hints_refused");
    expect(room.refusals).toBe("");
  });

  test.each([
    ["again", { terms: entropy }, 2],
    ["without having been told anything", {}, 1],
  ])("%s ends the recording", (_, config, sessions) => {
    const room = new TestRoom().ready({ from: 0, ...config }).speak(0, 3);
    room.providerFailed(400);
    room.pass(1_000);
    if (sessions > 1) room.providerFailed(400);
    expect(room.session).toBe(sessions);
    expect(room.refusals).toBe("transcription_failed 1008");
  });

  test("after it has recognised something ends the recording", () => {
    const room = new TestRoom().ready({ from: 0, terms: entropy });
    speak(room, 2_000);
    room.providerFailed(400);
    expect(room.refusals).toBe("transcription_failed 1008");
  });
});

test("a service that refuses the change gets another session with the terms", () => {
  const room = new TestRoom().ready({ from: 0, terms: entropy });
  speak(room, 2_000);
  room.step({
    type: "providerMessage",
    sessionId: 1,
    message: { type: "termsRefused", detail: "" },
  });
  speak(room, 20_000);
  expect(listTold(room)).toEqual([entropy, entropy]);
});
