import { describe, expect, test } from "vitest";
import { overlapMs } from "#server/recording/room/progress.ts";
import { minSessionMs } from "#server/recording/room/provider-session-budget.ts";
import { createGrant, createMark, createWord, TestRoom, takeId } from "./test-room.ts";

const minute = 60_000;

describe("words", () => {
  test("have the recording's time and the speaker, also while interim", () => {
    const room = new TestRoom().ready({ lectureEndMs: 25_600 }).speak(0, 7);
    const interim = createWord("two", 600, 900, { isFinal: false, speaker: "1" });
    room.transcribe([createWord("one", 100, 500, { speaker: "1" }), interim], 500, 2_048);
    expect(room.listSent("tokens")).toEqual([
      {
        type: "tokens",
        tokens: [
          { text: " one", is_final: true, speaker: "1", start_ms: 25_700, end_ms: 26_100 },
          { text: " two", is_final: false, speaker: "1", start_ms: 26_200, end_ms: 26_500 },
        ],
        audio_final_proc_ms: 26_100,
        audio_total_proc_ms: 27_648,
      },
    ]);
  });

  test("before the browser's position are left out, by their middle", () => {
    const room = new TestRoom().ready({ from: 0, heldMs: 1_000 }).speak(0, 9);
    const [one, two] = [createWord("one", 100, 600), createWord("two", 650, 1_040)];
    room.transcribe([one, two, createWord("three", 1_010, 1_300)], 1_300);
    expect(room.tokens.map(({ text }) => text)).toEqual([" three"]);
  });

  test("have no speaker without diarization", () => {
    const room = new TestRoom().ready({ from: 0, diarization: false }).speak(0, 3);
    room.transcribe([createWord("one", 100, 500, { speaker: "1" })], 500);
    expect(room.tokens[0]).not.toHaveProperty("speaker");
  });

  test("do not include an endpoint, which is sent once", () => {
    const room = new TestRoom().ready().speak(0, 15);
    const end = (atMs: number) => createMark("<end>", atMs);
    const first = [createWord("one.", 100, 500), end(500), createWord("two", 900, 1_500)];
    room.transcribe(first, 1_500, 4_096);
    expect(room.listSent("tokens")).toMatchObject([
      { endpoint: true, tokens: [{ text: " one." }, { text: " two" }] },
    ]);
    room.replaceSession(300);
    room.take();
    room.transcribe([createWord("one.", 90, 500), end(500)], 800, 4_096);
    expect(room.listSent("tokens")[0]).not.toHaveProperty("endpoint");
    const again = [createWord("two", 900, 1_490), createWord("three.", 2_000, 2_500), end(2_500)];
    room.transcribe(again, 2_500);
    expect(room.listSent("tokens")[1]).toMatchObject({
      endpoint: true,
      tokens: [{ text: " three." }],
    });
  });

  test("do not include an endpoint before the first word of a session", () => {
    const room = new TestRoom().ready().speak(0, 8);
    room.transcribe([createMark("<end>", 300), createWord("one", 500, 900)], 900);
    expect(room.listSent("tokens")).toHaveLength(1);
    expect(room.listSent("tokens")[0]).not.toHaveProperty("endpoint");
  });
});

describe("acknowledgements", () => {
  test("cover at least eight chunks each, and every chunk in the end", () => {
    const room = new TestRoom().ready();
    for (let seq = 0; seq < 40; seq += 1) {
      room.speak(seq, seq);
      room.transcribe([], (seq + 1) * 256);
    }
    expect(room.listSent("ack").map(({ seq }) => seq)).toEqual([7, 15, 23, 31]);
    room.finalize();
    room.answerFinalize(40 * 256);
    expect(room.listSent("ack").at(-1)).toEqual({ type: "ack", seq: 39, take: takeId });
  });

  test("leave a lead-in: a chunk must be 2 s before the last final word", () => {
    const room = new TestRoom().ready().speak(0, 19);
    room.transcribe([createWord("one", 4_000, 4_400)], 4_400, 5_120);
    const upTo = Math.floor((4_400 - overlapMs) / 256) - 1;
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: upTo, take: takeId }]);
    expect(room.state.backlog[0]?.seq).toBe(upTo + 1);
  });

  test("do not wait for words in a long silence, but wait for interim words", () => {
    const room = new TestRoom().ready().speak(0, 49);
    room.transcribe([], 0, 9_900);
    expect(room.listSent("ack")).toEqual([]);
    room.transcribe([], 0, 12_800);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 41, take: takeId }]);
    const talking = new TestRoom().ready().speak(0, 49);
    talking.transcribe([createWord("one", 100, 500, { isFinal: false })], 0, 12_800);
    expect(talking.listSent("ack")).toEqual([]);
  });
});

describe("a provider session that is lost", () => {
  /** A room with four chunks that are not transcribed. */
  const speaking = () => new TestRoom().ready().speak(0, 3);

  test.each([408, 429, 500, 503])("with %i costs the browser no error, and no silence", (code) => {
    const room = speaking();
    room.take();
    room.providerFailed(code);
    expect(room.listSent("tokens")).toEqual([
      { type: "tokens", tokens: [], audio_final_proc_ms: 0, audio_total_proc_ms: 0 },
    ]);
    expect(room.listEffects("openProvider")).toEqual([]);
    room.pass(2_500);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    expect(room.refusals).toBe("");
  });

  test("by the limit of requests a minute is replaced after 10 to 20 s", () => {
    const room = speaking();
    const fields = { limit: "requests", errorType: "limit_exceeded", requestId: "id" } as const;
    room.providerFailed(429, fields);
    const logged = room.listEffects("log").find(({ event }) => event === "provider_error");
    expect(logged?.fields).toMatchObject({ code: 429, ...fields, detail: "simulated failure" });
    room.take();
    room.pass(9_000);
    expect(room.listEffects("openProvider")).toEqual([]);
    room.pass(11_000);
    expect(room.listEffects("openProvider")).toHaveLength(1);
  });

  test("repeatedly is replaced with growing delays, at most six times a minute", () => {
    const room = speaking();
    const waits: number[] = [];
    for (let failure = 0; failure < 8; failure += 1) {
      for (let count = 0; count < 20; count += 1) room.audio(null);
      room.providerFailed(503);
      const { provider } = room.state;
      if (provider.kind !== "waiting") throw new Error("no retry");
      waits.push(provider.until - room.now);
      room.pass(provider.until - room.now);
      room.providerOpened();
    }
    expect(waits).toEqual([250, 1_000, 4_000, 12_000, 12_000, 29_982, 12_000, 12_000]);
  });

  test("resets the delay once a session has delivered words", () => {
    const room = speaking();
    for (const _ of [1, 2, 3]) {
      room.replaceSession(4_000);
    }
    room.pass(1_000);
    room.transcribe([createWord("one", 100, 300)], 300);
    room.providerFailed(503);
    expect(room.state.retryAt - room.now).toBe(250);
  });

  test("keeps the delay over a reconnect of the browser", () => {
    const room = speaking();
    for (const wait of [1_000, 1_000, 4_000, 12_000]) {
      room.replaceSession(wait);
    }
    room.providerFailed(503);
    room.take();
    room.reconnect({ from: 0 });
    room.audio(0, "b");
    expect(room.listEffects("openProvider")).toEqual([]);
    expect(room.state.provider).toMatchObject({ kind: "waiting" });
  });

  test.each([
    ["its site's turn comes later", 20_000, 20_000],
    ["its site's turn comes soon", 2_000, undefined],
  ])("says how long it waits where %s", (_, waitMs, told) => {
    const room = new TestRoom().opening();
    room.take();
    room.step({ type: "providerDeferred", sessionId: room.session, waitMs });
    expect(room.listSent("tokens").at(-1)?.waitMs).toBe(told);
    room.take();
    room.pass(waitMs);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.providerOpened();
    room.take();
    room.transcribe([createWord("one", 0, 100)], 100);
    expect(room.listSent("tokens").at(-1)).not.toHaveProperty("waitMs");
  });

  test("goes on to say how long it waits, as the time passes", () => {
    const room = new TestRoom().opening();
    room.take();
    room.step({ type: "providerDeferred", sessionId: room.session, waitMs: 20_000 });
    room.pass(19_000);
    expect(room.listSent("tokens").map((message) => message.waitMs)).toEqual([
      20_000, 15_000, 10_000, 5_000,
    ]);
  });

  test("counts once for its payer, however often the site defers it", () => {
    const room = new TestRoom().opening();
    const defer = (waitMs: number | null) => {
      room.step({ type: "providerDeferred", sessionId: room.session, waitMs });
      room.pass(5_000);
    };
    const isCounted = () => room.listEffects("openProvider").at(-1)?.isCounted;
    expect(isCounted()).toBe(false);
    // The payer's budget is used up: it has counted nothing.
    defer(null);
    expect(isCounted()).toBe(false);
    for (let times = 0; times < 3; times += 1) {
      defer(5_000);
      expect(isCounted()).toBe(true);
    }
    room.providerFailed(503);
    room.pass(1_000);
    expect(room.listEffects("openProvider")).toHaveLength(6);
    expect(isCounted()).toBe(false);
  });

  test("costs audio that may be resent free of charge once, however often it is deferred", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.leave(1006);
    room.now += 60_000;
    room.reconnect({ from: 0 });
    const { resendMs } = room.state.intake;
    room.take();
    room.audio(0, "b");
    for (const waitMs of [5_000, null, 5_000]) {
      expect(room.state.intake.resendMs).toBe(resendMs - 256 - minSessionMs);
      room.step({ type: "providerDeferred", sessionId: room.session, waitMs });
      expect(room.state.intake.resendMs).toBe(resendMs - 256);
      room.pass(10_000);
    }
    expect(room.listEffects("openProvider")).toHaveLength(4);
    expect(room.state.intake.resendMs).toBe(resendMs - 256 - minSessionMs);
  });

  test("says that the service is at its limit, and not that it fails", () => {
    for (const [code, limit, told] of [
      [429, "requests", true],
      [503, null, false],
    ] as const) {
      const room = speaking();
      room.take();
      room.providerFailed(code, { limit });
      expect((room.listSent("tokens").at(-1)?.waitMs ?? 0) > 0).toBe(told);
    }
  });

  test("is not replaced before there is unheard audio", () => {
    const room = new TestRoom().ready();
    room.step({ type: "providerClosed", sessionId: room.session, code: 1000 });
    room.pass(5_000);
    expect(room.listEffects("openProvider")).toEqual([]);
    room.audio(0);
    expect(room.listEffects("openProvider")).toHaveLength(1);
  });

  test("is detected by missing answers to audio", () => {
    const room = speaking();
    const sessionId = room.session;
    room.take();
    room.pass(9_000);
    expect(room.listEffects("closeProvider")).toContainEqual({ type: "closeProvider", sessionId });
    expect(room.listEffects("openProvider")).toHaveLength(1);
    expect(room.refusals).toBe("");
  });

  test("is retried while it opens, or if it never opens", () => {
    const room = new TestRoom().opening();
    room.take();
    room.step({ type: "providerFailed", sessionId: room.session, detail: "refused" });
    room.pass(1_000);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.pass(10_000);
    expect(room.listEffects("openProvider")).toHaveLength(2);
  });

  test.each([400, 401, 402])(
    "with %i reaches the browser at once and is not tried again",
    (code) => {
      const room = speaking();
      room.take();
      room.providerFailed(code);
      expect(room.refusals).toBe("transcription_failed 1008");
      expect(room.listSent("error")[0]?.message).not.toContain("simulated failure");
      room.pass(minute);
      expect(room.listEffects("openProvider")).toEqual([]);
    },
  );
});

describe("a long session", () => {
  /** Speech without a pause for `ms`. */
  function talk(room: TestRoom, ms: number): void {
    for (let passed = 0; passed < ms; passed += 5_120) {
      if (room.state.provider.kind === "opening") room.providerOpened();
      for (let count = 0; count < 20; count += 1) room.audio(null);
      const { provider, expectedSeq } = room.state;
      if (provider.kind !== "open") throw new Error("no session");
      const heardMs = expectedSeq * 256 - provider.startMs;
      const interim = createWord("and", heardMs - 100, heardMs, { isFinal: false });
      const final = createWord("so", heardMs - 600, heardMs - 500);
      room.transcribe([final, interim], heardMs - 100, heardMs);
      room.usageFlushed({ limitMs: 100 * 60 * minute });
      room.pass(5_120);
    }
  }

  const unlimited = () =>
    new TestRoom().ready({ from: 0 }, createGrant({ limitMs: 100 * 60 * minute }));

  test("is replaced at the first pause after 280 minutes", () => {
    const room = unlimited();
    talk(room, 279 * minute);
    const sessionId = room.session;
    room.transcribe([], 279 * minute);
    expect(room.session).toBe(sessionId);
    talk(room, 2 * minute);
    expect(room.session).toBe(sessionId);
    room.transcribe([createMark("<end>", 281 * minute)], 281 * minute);
    expect(room.session).toBe(sessionId + 1);
    expect(room.listEffects("closeProvider").at(-1)).toMatchObject({ sessionId });
  });

  test("without a pause is replaced before the provider ends it", () => {
    const room = unlimited();
    talk(room, 299 * minute);
    expect(room.session).toBe(2);
  });
});

describe("without audio", () => {
  /** A room that waits for `ms` after 16 chunks; the page sends its keepalives. */
  const paused = (ms: number) => {
    const room = new TestRoom().ready().speak(0, 15);
    room.transcribe([createWord("one", 100, 400)], 400, 4_096);
    room.take();
    wait(room, ms);
    return room;
  };
  const wait = (room: TestRoom, ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      room.pass(5_000);
      room.usageFlushed();
      room.browser({ type: "keepalive" });
    }
  };

  test("sends the provider a keepalive every 5 s", () => {
    const controls = paused(15_000).listEffects("sendControl");
    expect(controls.map(({ control }) => control)).toEqual(Array(3).fill("keepalive"));
  });

  test("finalises and closes the session after 20 s, and opens one at the next audio", () => {
    const room = paused(20_000);
    expect(room.listEffects("sendControl").at(-1)).toMatchObject({ control: "finalize" });
    room.answerFinalize(4_096);
    expect(room.listEffects("closeProvider")).toHaveLength(1);
    expect(room.listSent("finalized")).toEqual([]);
    // What leads in to the next session is not acknowledged: the pause may be one of the network.
    expect(room.listSent("ack").at(-1)).toEqual({ type: "ack", seq: 7, take: takeId });
    room.take();
    wait(room, 60_000);
    expect(room.listEffects("openProvider")).toEqual([]);
    expect(room.listEffects("sendControl")).toEqual([]);
    room.audio(16);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.providerOpened();
    expect(room.listEffects("sendAudio")).toHaveLength(9);
    room.transcribe([createWord("two", 2_048, 2_248)], 2_248);
    expect(room.tokens).toMatchObject([{ text: " two", start_ms: 4_096 }]);
  });

  test("answers a finalize at once after the session was closed", () => {
    const room = paused(20_000);
    room.answerFinalize(4_096);
    room.take();
    room.finalize();
    expect(room.listEffects("openProvider")).toEqual([]);
    expect(room.sentTypes).toEqual(["ack", "finalized"]);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 15, take: takeId }]);
  });

  test("keeps a closing session when audio arrives", () => {
    const room = paused(20_000);
    room.audio(16);
    room.answerFinalize(4_096);
    expect(room.listEffects("closeProvider")).toEqual([]);
    expect(room.state.provider.kind).toBe("open");
  });
});
