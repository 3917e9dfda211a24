import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrowserRecognizer } from "#client/recognition/browser/browser-recognizer.ts";
import type { SpeechErrorCode, SpeechRecognition } from "#client/recognition/browser/web-speech.ts";
import {
  RecognitionError,
  type RecognitionFailure,
} from "#client/recognition/browser/web-speech.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import { listUnits } from "#shared/word-units.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { joinSentences, readSpokenSentences } from "#tests/fixtures/spoken-sentences.ts";
import {
  type FakeRecognitionOptions,
  FakeRecognitions,
  type SpokenWord,
} from "#tests/unit/client/recorder/kit/fake-recognition.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

type Script = Omit<FakeRecognitionOptions, "clock" | "words"> & {
  words?: SpokenWord[];
  language?: SpokenLanguage;
};

function setUp(script: Script = {}, create?: (terms: readonly string[]) => SpeechRecognition) {
  const clock = new ManualClock(0);
  const recognitions = new FakeRecognitions({ clock, words: speak(4), ...script });
  const finals: RelayToken[] = [];
  const sentences: string[] = [];
  const failures: RecognitionFailure[] = [];
  const states: string[] = [];
  let interim = "";
  let sentenceStart = 0;
  const recognizer = new BrowserRecognizer({
    create: create ?? (() => recognitions.create()),
    getTerms: () => ["entropy"],
    language: script.language ?? "en",
    getTrack: () => null,
    clock,
    log: { warn: () => {} },
    getLectureMs: () => clock.now(),
    onTokens: ({ tokens }) => {
      finals.push(...tokens.filter((token) => token.is_final));
      interim = join(tokens.filter((token) => !token.is_final));
    },
    onSentenceEnd: () => {
      sentences.push(join(finals.slice(sentenceStart)));
      sentenceStart = finals.length;
    },
    onStateChange: () => states.push(recognizer.state),
    onFailure: (reason) => failures.push(reason),
  });
  return {
    clock,
    recognizer,
    recognitions,
    failures,
    states,
    sentences,
    finals,
    words: () => finals.map(({ text }) => text.trim()),
    interim: () => interim,
  };
}

const join = (tokens: readonly RelayToken[]) =>
  tokens
    .map(({ text }) => text)
    .join("")
    .trim();

/** `count` different words, 350 ms each; a pause after every `group` words. */
function speak(count: number, { from = 1_500, group = 12, pauseMs = 2_000 } = {}): SpokenWord[] {
  let at = from;
  return Array.from({ length: count }, (_, index) => {
    const startsAt = at;
    const endsAt = startsAt + 300;
    at = endsAt + (index % group === group - 1 ? pauseMs : 50);
    return { text: `w${index}`, startsAt, endsAt };
  });
}

type FakeEvents = Partial<Record<"start" | "end" | SpeechErrorCode, number>>;

/** A recognition that only reports `events`, each after its delay in ms. */
function createSilent(clock: () => ManualClock, events: FakeEvents) {
  return (): SpeechRecognition => {
    const recognition: SpeechRecognition = {
      lang: "",
      continuous: true,
      interimResults: true,
      onstart: null,
      onresult: null,
      onerror: null,
      onend: null,
      start() {
        for (const event of Object.keys(events) as (keyof FakeEvents)[]) {
          clock().after(events[event] ?? 0, () => {
            if (event === "start") recognition.onstart?.();
            else if (event === "end") recognition.onend?.();
            else recognition.onerror?.({ error: event });
          });
        }
      },
      stop() {},
      abort() {},
    };
    return recognition;
  };
}

const tenMinutesMs = 600_000;

async function record(script: Script): Promise<ReturnType<typeof setUp> & { spoken: string[] }> {
  const words = script.words ?? speak(1_400);
  const test = setUp({ ...script, words });
  void test.recognizer.start();
  await test.clock.advance(tenMinutesMs);
  const stopped = test.recognizer.stop();
  await test.clock.advance(4_000);
  await stopped;
  const spoken = words.filter(({ endsAt }) => endsAt <= tenMinutesMs).map(({ text }) => text);
  return { ...test, spoken };
}

describe("ten recorded minutes", () => {
  const scripts: [string, Script][] = [
    ["in one session", {}],
    ["with a session that ends every minute, its last words unconfirmed", { limitMs: 60_000 }],
    ["with a session that ends every minute", { limitMs: 60_000, isFinalAtLimit: true }],
    ["without a pause in the speech", { limitMs: 60_000, words: speak(1_700, { group: 2_000 }) }],
    ["with words that are revised", { revises: true, limitMs: 60_000, isFinalAtLimit: true }],
    ["as Chrome on Android reports them", { isAndroid: true }],
    ["with silences that end the session", { limitMs: 8_000, isFinalAtLimit: true }],
  ];
  it.each(scripts)("delivers every word once %s", async (_, script) => {
    const { words, spoken } = await record(script);
    expect(words()).toEqual(spoken);
  });

  it.each([
    ["ja", ""],
    ["zh", ""],
    ["ar", " "],
    ["hi", " "],
  ] as const)(
    "delivers every word of %s once, however the browser reports it",
    async (language, space) => {
      const { text } = joinSentences(readSpokenSentences(language).sentences, language);
      const spokenUnits = listUnits(text).map((unit) => unit.text.trim());
      const texts = spokenUnits.filter((unit) => /[\p{L}\p{N}]/u.test(unit));
      const words = speak(texts.length).map((word, n) => ({ ...word, text: texts[n] ?? "" }));
      for (const script of [{}, { limitMs: 60_000, isFinalAtLimit: true }, { isAndroid: true }]) {
        const { finals, sentences } = await record({ ...script, words, language, space });
        expect(join(finals).replaceAll(/\s/gu, "")).toBe(texts.join(""));
        expect(sentences.length).toBeGreaterThan(10);
        for (const sentence of sentences) expect(sentence).toBe(sentence.trim());
      }
    },
  );

  it("delivers words once and in order whenever sessions end or fail", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          limitMs: fc.integer({ min: 5_000, max: 90_000 }),
          isFinalAtLimit: fc.boolean(),
          errors: fc.array(
            fc.record({
              at: fc.integer({ min: 5_000, max: tenMinutesMs }),
              error: fc.constantFrom<SpeechErrorCode>("network", "no-speech", "aborted"),
            }),
            { maxLength: 6 },
          ),
        }),
        async (script) => {
          const { words, spoken, recognitions } = await record(script);
          const all = speak(1_400);
          const wasListening = ({ startsAt, endsAt }: SpokenWord) =>
            recognitions.sessions.some(
              (session) =>
                session.startedAt <= startsAt && endsAt + 1_000 <= (session.endedAt ?? Infinity),
            );
          const delivered = words();
          expect(delivered).toEqual(spoken.filter((word) => delivered.includes(word)));
          const expected = all.filter(wasListening).map(({ text }) => text);
          expect(delivered).toEqual(expect.arrayContaining(expected.slice(0, -1)));
        },
      ),
      { numRuns: countRuns(12) },
    );
  });
});

describe("words", () => {
  it("gives words ascending times on the lecture's clock", async () => {
    const { finals } = await record({ limitMs: 60_000 });
    const times = finals.flatMap(({ start_ms = 0, end_ms = 0 }) => [start_ms, end_ms]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeGreaterThan(tenMinutesMs - 5_000);
  });

  it("ends a sentence where the speaker pauses", async () => {
    const { sentences } = await record({});
    expect(sentences[0]).toBe(
      speak(12)
        .map(({ text }) => text)
        .join(" "),
    );
  });

  it("shows words before they are final", async () => {
    const { clock, recognizer, interim } = setUp({ words: speak(12) });
    void recognizer.start();
    await clock.advance(4_000);
    expect(interim()).toMatch(/^w0 w1 w2/);
  });
});

describe("sessions", () => {
  it("replaces an old session in a pause of the speaker", async () => {
    const { recognitions } = await record({ limitMs: 60_000, words: speak(1_400) });
    expect(recognitions.sessions.length).toBeGreaterThan(8);
    const words = speak(1_400);
    for (const { endedAt } of recognitions.sessions.slice(0, -1)) {
      const isSpeaking = words.some(
        ({ startsAt, endsAt }) => startsAt < (endedAt ?? 0) && (endedAt ?? 0) < endsAt,
      );
      expect(isSpeaking).toBe(false);
    }
  });

  it.each([
    ["in the next session", 15_000],
    ["after a session in which nobody spoke", 25_000],
  ])("keeps words that are said again after a pause, %s", async (_, again) => {
    const say = (text: string, startsAt: number) => ({ text, startsAt, endsAt: startsAt + 300 });
    const ask = (at: number) => [say("any", at), say("questions", at + 350)];
    const { clock, recognizer, words } = setUp({
      words: [...ask(9_000), ...ask(again)],
      limitMs: 10_000,
    });
    void recognizer.start();
    await clock.advance(again + 3_000);
    expect(words()).toEqual(["any", "questions", "any", "questions"]);
    recognizer.dispose();
  });

  it("reports a lost connection and goes on", async () => {
    const words = speak(100);
    const { clock, recognizer, states, failures } = setUp({
      words,
      errors: [{ at: 20_000, error: "network" }],
    });
    void recognizer.start();
    await clock.advance(19_000);
    expect(recognizer.state).toBe("live");
    await clock.advance(10_000);
    expect(states).toEqual(["connecting", "live", "reconnecting", "live"]);
    expect(failures).toEqual([]);
  });

  it("delivers the last words at a stop", async () => {
    const { clock, recognizer, words } = setUp({ words: speak(4) });
    void recognizer.start();
    await clock.advance(2_500);
    const stopped = recognizer.stop();
    await clock.advance(100);
    await stopped;
    expect(words()).toEqual(["w0", "w1", "w2"]);
    expect(recognizer.state).toBe("idle");
    expect(clock.timers).toBe(0);
  });

  it("does not wait for an end that never comes", async () => {
    let clock = new ManualClock();
    const test = setUp(
      {},
      createSilent(() => clock, { start: 0 }),
    );
    clock = test.clock;
    void test.recognizer.start();
    await clock.advance(1_000);
    const stopped = test.recognizer.stop();
    await clock.advance(3_000);
    await stopped;
    expect(test.recognizer.state).toBe("idle");
  });
});

describe("failures", () => {
  const cases: [string, FakeEvents, RecognitionFailure][] = [
    ["no connection", { start: 5, network: 30, end: 31 }, "unreachable"],
    ["no microphone", { start: 5, "audio-capture": 50, end: 51 }, "missing"],
    ["no permission", { "not-allowed": 5, end: 6 }, "denied"],
    ["a service that refuses", { "service-not-allowed": 5, end: 6 }, "refused"],
    // Chromium 156 sends no `end` after this error.
    ["a language that is not installed", { "language-not-supported": 5 }, "noLanguage"],
    ["an engine that never answers", {}, "unreachable"],
  ];
  it.each(cases)("rejects the start with %s", async (_, events, reason) => {
    let clock = new ManualClock();
    const test = setUp(
      {},
      createSilent(() => clock, events),
    );
    clock = test.clock;
    const started = test.recognizer.start().catch((error: unknown) => error);
    await clock.advance(40_000);
    expect(await started).toEqual(new RecognitionError(reason));
    expect(test.recognizer.state).toBe("idle");
    expect(clock.timers).toBe(0);
  });

  it("reports a permission that is withdrawn while recording", async () => {
    const { clock, recognizer, failures } = setUp({
      words: speak(40),
      errors: [{ at: 20_000, error: "not-allowed" }],
    });
    void recognizer.start();
    await clock.advance(30_000);
    expect(failures).toEqual(["denied"]);
    expect(recognizer.state).toBe("idle");
  });

  it("tries again at once when the network is back", async () => {
    const { clock, recognizer } = setUp({
      words: speak(100),
      errors: [{ at: 20_000, error: "network" }],
    });
    void recognizer.start();
    await clock.advance(20_050);
    expect(recognizer.state).toBe("reconnecting");
    recognizer.wake();
    await clock.advance(50);
    expect(recognizer.state).toBe("live");
  });
});

it("goes on at once without terms when the engine refuses phrases, and loses no word", async () => {
  const told: (readonly string[])[] = [];
  const { clock, recognizer, recognitions, words, failures, states } = setUp({}, (terms) => {
    told.push(terms);
    const recognition = recognitions.create();
    if (terms.length > 0) {
      recognition.start = () =>
        void clock.after(0, () => recognition.onerror?.({ error: "phrases-not-supported" }));
    }
    return recognition;
  });
  const starting = recognizer.start();
  await clock.advance(1_400);
  await starting;
  expect(told).toEqual([["entropy"], []]);
  expect(recognitions.sessions[0]?.startedAt).toBeLessThan(100);
  await clock.advance(6_000);
  expect(words()).toHaveLength(4);
  expect(failures).toEqual([]);
  expect(states).not.toContain("reconnecting");
});
