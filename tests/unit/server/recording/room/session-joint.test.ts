import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderToken, RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import { holdLastWords } from "#server/recording/room/session-joint.ts";
import { fullChunks } from "#server/recording/room/unanswered-sound.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { codecSounds } from "./codec-sounds.ts";
import { createMark, createWord, TestRoom } from "./test-room.ts";

const { chunkMs, create, listen } = codecSounds.pcm_s16le;

interface Spoken {
  text: string;
  startMs: number;
  endMs: number;
}

/** A stream of a server that writes something wrong for a word of which it hears a part, and whose times are late by `lateMs`. */
class Stream {
  readonly #hear = listen();
  #first: number | null = null;
  #last = -1;
  #given = 0;

  constructor(
    private readonly spoken: readonly Spoken[],
    private readonly lateMs: number,
  ) {}

  receive(data: Uint8Array): void {
    const { id } = this.#hear(data);
    this.#first ??= id;
    this.#last = id;
  }

  get #fromMs(): number {
    return (this.#first ?? 0) * chunkMs;
  }

  get heardMs(): number {
    return (this.#last + 1) * chunkMs - this.#fromMs;
  }

  /** Words that it has not given yet, at most so many. */
  takeWords(count: number): ProviderToken[] {
    const untilMs = this.#fromMs + this.heardMs;
    const place = (ms: number) =>
      Math.min(this.heardMs, Math.max(0, ms - this.#fromMs + this.lateMs));
    const words = this.spoken
      .filter(({ startMs, endMs }) => endMs > this.#fromMs && startMs < untilMs)
      .map(({ text, startMs, endMs }) => {
        const isCut = startMs < this.#fromMs || endMs > untilMs;
        return createWord(isCut ? "wrong" : text, place(startMs), place(endMs));
      })
      .slice(this.#given, this.#given + count);
    this.#given += words.length;
    return words;
  }
}

/** A page records in real time with such a server, which says nothing until a test lets it. */
class QuietServer extends TestRoom {
  readonly words: string[] = [];
  isEnding = false;
  captured = 0;
  readonly #streams = new Map<number, Stream>();

  /** `lateness`: of the streams, ms. */
  constructor(
    private readonly spoken: readonly Spoken[] = [],
    private readonly lateness: readonly number[] = [],
  ) {
    super();
    this.answersSilence = false;
    this.connect();
    this.config({ from: 0 });
  }

  override step(event: RoomEvent): RoomEffect[] {
    const effects = super.step(event);
    for (const effect of effects) this.#run(effect);
    return effects;
  }

  #run(effect: RoomEffect): void {
    if (effect.type === "openProvider") {
      const lateMs = this.lateness[this.#streams.size] ?? 0;
      this.#streams.set(effect.sessionId, new Stream(this.spoken, lateMs));
    } else if (effect.type === "sendAudio")
      this.#streams.get(effect.sessionId)?.receive(effect.data);
    else if (effect.type === "sendControl" && effect.control === "finalize") this.isEnding = true;
    else if (effect.type === "send" && effect.message.type === "tokens")
      for (const { is_final, text } of effect.message.tokens)
        if (is_final) this.words.push(text.trim());
  }

  /** The rest of the second in which a stream opens. */
  open(): void {
    this.pass(1_000);
    this.usageFlushed();
    if (this.state.provider.kind === "opening") this.providerOpened();
  }

  record(chunks: number): void {
    for (let count = 0; count < chunks; count += 1) {
      this.pass(chunkMs);
      this.browser({
        type: "audio",
        seq: this.captured,
        chunk: create(this.captured),
        binary: true,
      });
      this.captured += 1;
      if (this.state.provider.kind === "opening") this.open();
    }
  }

  get #stream(): Stream {
    const stream = this.#streams.get(this.session);
    if (!stream) throw new Error("no stream is open");
    return stream;
  }

  /** The stream gives so many words. */
  answer(count: number): void {
    const words = this.#stream.takeWords(count);
    if (words.length > 0) this.transcribe(words, words.at(-1)?.endMs ?? 0);
  }

  /** All streams end, after a stop. */
  finish(): void {
    // Sound is sent at a pace.
    for (let waits = 0; waits < 5 && this.sentTypes.at(-1) !== "finalized"; waits += 1) {
      this.pass(5_000);
      if (this.isEnding) this.end(0);
    }
  }

  /** The stream ends. So many of its words come before the last message. */
  end(countBefore: number): void {
    this.isEnding = false;
    this.answer(countBefore);
    this.answerEnd(this.#stream.heardMs, this.#stream.takeWords(Number.POSITIVE_INFINITY));
    this.open();
  }
}

/** Until then the first words have been said. */
const answerAfter = 20;

/** Records until the stream is asked to end. It has given its first words if it `isAnswering`. */
function recordUntilEnding(room: QuietServer, isAnswering: boolean): void {
  room.record(answerAfter);
  if (isAnswering) room.answer(Number.POSITIVE_INFINITY);
  while (!room.isEnding) room.record(1);
}

const wordLengths = fc.array(
  fc.record({ ms: fc.integer({ min: 80, max: 600 }), pauseMs: fc.nat(250) }),
  {
    minLength: 1,
    maxLength: 24,
  },
);

const say = (name: string, fromMs: number, lengths: readonly { ms: number; pauseMs: number }[]) => {
  let atMs = fromMs;
  return lengths.map(({ ms, pauseMs }, index): Spoken => {
    const startMs = atMs;
    atMs += ms + pauseMs;
    return { text: `${name}${index}`, startMs, endMs: startMs + ms };
  });
};

const lateMs = fc.integer({ min: -300, max: 300 });

test("gives each word once and in order, whenever somebody begins to speak while a quiet stream is ended", () => {
  fc.assert(
    fc.property(
      fc.record({
        before: fc.array(fc.record({ ms: fc.constant(300), pauseMs: fc.nat(200) }), {
          maxLength: 6,
        }),
        /** When speech begins, after the end was asked for. */
        beginsMs: fc.integer({ min: -8_500, max: 3_000 }),
        lengths: wordLengths,
        lateness: fc.tuple(lateMs, lateMs, lateMs),
        /** Recorded until the stream has ended. */
        chunksMeanwhile: fc.nat(20),
        isAnswering: fc.boolean(),
        isStopped: fc.boolean(),
        countBefore: fc.nat(24),
      }),
      ({ before, beginsMs, lengths, lateness, chunksMeanwhile, isStopped, ...answers }) => {
        const { isAnswering, countBefore } = answers;
        const first = say("before", 500, before);
        const silent = new QuietServer(first);
        recordUntilEnding(silent, isAnswering);
        const endingMs = silent.captured * chunkMs;
        const spoken = [...first, ...say("after", endingMs + beginsMs, lengths)];
        const room = new QuietServer(spoken, lateness);
        recordUntilEnding(room, isAnswering);
        expect(room.captured * chunkMs).toBe(endingMs);
        room.record(chunksMeanwhile);
        const isPaused = (ms: number) =>
          spoken.every(({ startMs, endMs }) => ms < startMs || ms > endMs);
        const stops = isStopped && isPaused(room.captured * chunkMs);
        if (stops) room.finalize();
        room.end(countBefore);
        const lastMs = Math.max(...spoken.map(({ endMs }) => endMs));
        if (!stops) {
          while (room.captured * chunkMs < lastMs + 500) room.record(1);
          room.finalize();
        }
        room.finish();
        const heardMs = room.captured * chunkMs;
        const expected = spoken.filter(({ endMs }) => endMs <= heardMs).map(({ text }) => text);
        expect(room.words).toEqual(expected);
        expect(room.sentTypes.at(-1)).toBe("finalized");
        expect(room.refusals).toBe("");
      },
    ),
    { numRuns: countRuns(1_000) },
  );
});

test("gives each word once and in order, where a late server is given speech whose pauses are short", () => {
  const words = fc.array(
    fc.record({ ms: fc.integer({ min: 80, max: 600 }), pauseMs: fc.nat(150) }),
    { minLength: 3, maxLength: 12 },
  );
  const late = fc.integer({ min: -80, max: 80 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(words, fc.integer({ min: 400, max: 900 })), {
        minLength: 8,
        maxLength: 16,
      }),
      fc.array(late, { minLength: 6, maxLength: 6 }),
      fc.nat(10),
      (sentences, lateness, chunksMeanwhile) => {
        const lengths = sentences.flatMap(([all, pauseMs]) => [...all, { ms: 200, pauseMs }]);
        const spoken = say("word", 500, lengths);
        const room = new QuietServer(spoken, lateness);
        const lastMs = spoken.at(-1)?.endMs ?? 0;
        while (room.captured * chunkMs < lastMs + 500) {
          room.record(1);
          if (!room.isEnding) continue;
          room.record(chunksMeanwhile);
          room.end(0);
        }
        room.finalize();
        room.finish();
        expect(room.words).toEqual(spoken.map(({ text }) => text));
      },
    ),
    { numRuns: countRuns(300) },
  );
});

test("a sentence that begins at the end of a session stays live until the next one gives it", () => {
  const room = new TestRoom();
  room.answersSilence = false;
  room.ready().speak(0, 9);
  room.transcribe([createWord("myself.", 100, 500)], 500, 0);
  room.speak(10, fullChunks);
  room.pass(0);
  room.take();
  // As WhisperLiveKit had it.
  const cutOff = [
    createWord("I'm", 24_000, 24_240),
    createWord("from", 24_240, 24_340),
    createWord("the", 24_340, 24_540),
    createWord("cut", 24_540, 24_540),
    createWord("up.", 24_540, 24_540),
  ];
  room.answerEnd((fullChunks + 1) * chunkMs, cutOff);
  const texts = () => room.tokens.map(({ text, is_final }) => `${text}${is_final ? "" : "?"}`);
  expect(texts()).toEqual([" I'm?", " from?", " the?", " cut?", " up.?"]);
  room.speak(fullChunks + 1, fullChunks + 5);
  room.providerOpened();
  const fromMs = room.state.provider.kind === "open" ? room.state.provider.startMs : 0;
  expect(fromMs).toBeLessThan(24_000 - 2_000);
  room.transcribe(
    ["I'm", "from", "the", "cutter"].map((text, index) =>
      createWord(text, 24_160 + index * 250 - fromMs, 24_400 + index * 250 - fromMs),
    ),
    25_150 - fromMs,
  );
  expect(texts()).toEqual([" I'm", " from", " the", " cutter"]);
});

test("each word is given or left, on its side of the joint", () => {
  const parts = fc.array(fc.tuple(fc.integer({ min: 10, max: 900 }), fc.nat(2_000)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(parts, fc.nat(5_000), fc.nat(40), (lengths, restMs, before) => {
      const spoken = say(
        "word",
        0,
        lengths.map(([ms, pauseMs]) => ({ ms, pauseMs })),
      );
      const words = spoken.map(({ text, startMs, endMs }) => createWord(text, startMs, endMs));
      const endMs = (spoken.at(-1)?.endMs ?? 0) + restMs;
      const [early, late] = [words.slice(0, before), words.slice(before)];
      const about = { type: "progress", finalMs: endMs, processedMs: endMs } as const;
      const first = holdLastWords({ ...about, tokens: early }, [], { givenMs: 0, endMs });
      const givenEarly = first.message.tokens.filter(({ isFinal }) => isFinal);
      const tokens = [...late, createMark("<fin>", endMs)];
      const givenMs = givenEarly.at(-1)?.endMs ?? 0;
      const { message, joint } = holdLastWords({ ...about, tokens }, first.held, {
        givenMs,
        endMs,
      });
      const isWord = ({ text }: ProviderToken) => text !== "<fin>";
      const given = [...givenEarly, ...message.tokens.filter((one) => one.isFinal && isWord(one))];
      const left = message.tokens.filter(({ isFinal }) => !isFinal);
      expect([...given, ...left].map(({ text }) => text)).toEqual(words.map(({ text }) => text));
      expect(left.length > 0).toBe(joint !== null);
      if (joint === null) return;
      expect(endMs - joint.fromMs).toBeLessThanOrEqual(11_000);
      expect(message.finalMs).toBe(joint.fromMs);
      expect(joint.givenMs).toBeLessThanOrEqual(joint.fromMs);
      for (const word of given) expect(word.endMs).toBeLessThanOrEqual(joint.givenMs);
      for (const word of left) expect(word.startMs).toBeGreaterThanOrEqual(joint.fromMs);
    }),
    { numRuns: countRuns(1_000) },
  );
});
