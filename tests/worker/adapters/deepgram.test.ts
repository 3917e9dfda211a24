import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProviderMessage, ProviderStart } from "#server/recording/room/events.ts";
import { fullChunks } from "#server/recording/room/unanswered-sound.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import { start as startTime } from "#tests/unit/server/recording/room/test-room.ts";
import { findPause, findWord } from "#tests/worker/recording/lecture-client.ts";
import {
  type SpokenLecture,
  services,
  spoken,
  spokenInOpus,
} from "#tests/worker/recording/support.ts";
import { openDeepgramSession } from "#worker/adapters/deepgram.ts";
import { toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import { parseDeepgramMessage } from "#worker/adapters/deepgram-messages.ts";
import { parseJson, type SpeechSettings } from "#worker/adapters/speech-session.ts";
import { SpeechRoom } from "./speech-room.ts";

const words = [
  { word: "light", punctuated_word: "Light", start: 1.5, end: 1.9, confidence: 0.9, speaker: 0 },
  { word: "bends", punctuated_word: "bends.", start: 1.9, end: 2.4, confidence: 0.9, speaker: 1 },
];
const createFrame = (fields: object, alternative: object = { transcript: "", words }) =>
  JSON.stringify({
    type: "Results",
    channel_index: [0, 1],
    start: 1.5,
    duration: 1.25,
    is_final: true,
    speech_final: false,
    channel: { alternatives: [alternative] },
    ...fields,
  });
const createMark = (text: string) => ({
  text,
  isFinal: true,
  startMs: null,
  endMs: null,
  speaker: null,
});
const createTokens = (isFinal: boolean) => [
  { text: " Light", isFinal, startMs: 1_500, endMs: 1_900, speaker: "1" },
  { text: " bends.", isFinal, startMs: 1_900, endMs: 2_400, speaker: "2" },
];

const parseFrame = (frame: unknown, language?: SpokenLanguage) =>
  parseDeepgramMessage(parseJson(frame), language);

describe("a frame of the service", () => {
  it("covers the audio of a final result", () => {
    expect(parseFrame(createFrame({}))).toEqual({
      type: "progress",
      tokens: createTokens(true),
      finalMs: 2_750,
      processedMs: 2_750,
    });
  });

  it("leaves the audio of an interim result open", () => {
    expect(parseFrame(createFrame({ is_final: false }))).toEqual({
      type: "progress",
      tokens: createTokens(false),
      finalMs: 0,
      processedMs: 2_750,
    });
  });

  it("marks the end of an utterance and the answer to a finalize", () => {
    const parse = (fields: object) => {
      const message = parseFrame(createFrame(fields));
      return message?.type === "progress" ? message.tokens.slice(2) : [];
    };
    expect(parse({ speech_final: true })).toEqual([createMark("<end>")]);
    expect(parse({ from_finalize: true })).toEqual([createMark("<fin>")]);
    expect(parse({ speech_final: true, from_finalize: true })).toEqual([
      createMark("<end>"),
      createMark("<fin>"),
    ]);
    expect(parse({ is_final: false, speech_final: true })).toEqual([]);
  });

  it("joins the parts of a word that a server lists as words", () => {
    const listed = ["rather", "cold", "-hearted", "and"].map((word, index) => ({
      word,
      start: index,
      end: index + 1,
    }));
    const parse = (transcript: string, parts: object[]) => {
      const message = parseFrame(createFrame({}, { transcript, words: parts }));
      return message?.type === "progress" ? message.tokens.map(({ text }) => text).join("") : "";
    };
    expect(parse("rather cold-hearted and rather", listed)).toBe(" rather cold-hearted and rather");
    expect(parse("-hearted and", listed.slice(2))).toBe("-hearted and");
    expect(parse("rather -5", [listed[0] ?? {}, { word: "-5", start: 1, end: 2 }])).toBe(
      " rather -5",
    );
  });

  it.each([
    ["", {}],
    [", whose fields may be null", { punctuated_word: null, speaker: null, language: null }],
  ])(
    "names no speaker without diarization, and takes a word without punctuation%s",
    (_, fields) => {
      const plain = [{ word: "light", start: 0, end: 0.4, ...fields }];
      expect(parseFrame(createFrame({}, { transcript: "light", words: plain }))).toMatchObject({
        tokens: [{ text: " light", startMs: 0, endMs: 400, speaker: null }],
      });
    },
  );

  it("reads silence", () => {
    expect(parseFrame(createFrame({}, { transcript: "", words: [] }))).toEqual({
      type: "progress",
      tokens: [],
      finalMs: 2_750,
      processedMs: 2_750,
    });
  });

  it("takes the transcript of a server that lists no words", () => {
    const frame = createFrame({ is_final: false }, { transcript: " light bends", words: [] });
    expect(parseFrame(frame)).toMatchObject({
      tokens: [{ text: " light bends", isFinal: false, startMs: 1_500, endMs: 2_750 }],
    });
  });

  it("takes what a transcript has after the words that are listed", () => {
    const parse = (transcript: string) => {
      const message = parseFrame(
        createFrame({ is_final: false }, { transcript, words: words.slice(0, 1) }),
      );
      return message?.type === "progress" ? message.tokens.slice(1) : null;
    };
    expect(parse("Light bends.")).toEqual([
      { text: " bends.", isFinal: false, startMs: 1_900, endMs: 2_750, speaker: null },
    ]);
    expect(parse("Light")).toEqual([]);
    expect(parse("light bends.")).toEqual([]);
  });

  it("takes no time from a result without length, which has that of the sound that was received", () => {
    const frame = createFrame(
      { start: 20, duration: 0, is_final: false },
      { transcript: "light", words: [] },
    );
    expect(parseFrame(frame)).toMatchObject({ finalMs: 0, processedMs: 0 });
  });

  it("sets no space before punctuation that comes after its word", () => {
    const frame = createFrame({ duration: 0 }, { transcript: ".", words: [] });
    expect(parseFrame(frame)).toMatchObject({ tokens: [{ text: ".", isFinal: true }] });
  });

  it.each<[SpokenLanguage, string, string[], string]>([
    ["ja", "エントロピーは増える。", ["エントロピー", "は", "増える。"], "エントロピーは増える。"],
    ["ja", "この GPU", ["この", "GPU"], "このGPU"],
    ["th", "ความร้อน ไหลเข้า", ["ความ", "ร้อน", "ไหล", "เข้า"], "ความร้อน ไหลเข้า"],
    ["th", "", ["ความ", "ร้อน"], " ความ ร้อน"],
    ["ar", "ما هي الطاقة؟", ["ما", "هي", "الطاقة؟"], " ما هي الطاقة؟"],
  ])("joins words in %s as they are written: %s", (language, transcript, texts, text) => {
    const list = texts.map((word, at) => ({ word, start: at, end: at + 1 }));
    const message = parseFrame(createFrame({}, { transcript, words: list }), language);
    if (message?.type !== "progress") throw new Error("no words");
    expect(message.tokens.map((token) => token.text).join("")).toBe(text);
  });

  it("takes the language of each word, with which it is joined, and no language that it does not know", () => {
    const list = [
      { word: "Guten", start: 0, end: 1, language: "de" },
      { word: "Tag.", start: 1, end: 2, language: "de-CH" },
      { word: "一番。", start: 2, end: 3, language: "ja" },
      { word: "ubuntu", start: 3, end: 4, language: "xh" },
      { word: "so", start: 4, end: 5 },
    ];
    const message = parseFrame(createFrame({}, { transcript: "", words: list }), "de");
    expect(message).toMatchObject({
      tokens: [
        { text: " Guten", language: "de" },
        { text: " Tag.", language: "de" },
        { text: "一番。", language: "ja" },
        { text: " ubuntu" },
        { text: " so" },
      ],
    });
    if (message?.type !== "progress") throw new Error("no words");
    expect(message.tokens.filter((token) => "language" in token)).toHaveLength(3);
  });

  it("reports an error of the service", () => {
    const frame = JSON.stringify({ type: "Error", description: "overloaded", variant: "x" });
    expect(parseFrame(frame)).toMatchObject({
      type: "error",
      code: 500,
      detail: "overloaded",
    });
    expect(parseFrame('{"type":"Error"}')).toMatchObject({ code: 500, detail: "" });
  });

  it.each([
    ["no JSON", "{"],
    ["a binary frame", new ArrayBuffer(4)],
    ["metadata", '{"type":"Metadata","request_id":"x","duration":1}'],
    ["the start of speech", '{"type":"SpeechStarted","timestamp":0.5}'],
    ["an unknown type", '{"type":"Weather"}'],
    ["a result without times", '{"type":"Results","is_final":true,"channel":{"alternatives":[]}}'],
    ["a word before the stream", createFrame({}, { words: [{ word: "x", start: -1, end: 0 }] })],
  ])("ignores %s", (_, frame) => {
    expect(parseFrame(frame)).toBeNull();
  });
});

const start: ProviderStart = {
  recordingId: "recording",
  codec: "pcm_s16le",
  sampleRate: 16_000,
  diarization: true,
  languages: ["en"],
  endpointDelayMs: 2_000,
  context: "",
  translation: null,
  topic: "",
  terms: [],
};
const settings = {
  service: "Deepgram",
  apiKey: "key",
  model: "nova-3",
  hasFinalize: true,
  hasConfigure: true,
} as const;
const address = "wss://api.deepgram.com/v1/listen?mip_opt_out=true";

describe("toDeepgramUrl", () => {
  const createUrl = (fields: Partial<ProviderStart> = {}, model = "nova-3") => {
    return new URL(toDeepgramUrl({ url: address, model }, { ...start, ...fields }));
  };

  it.each<[string, ProviderStart["languages"], string, string, string[]]>([
    ["a language", ["ja"], "nova-3", "ja", []],
    ["two languages", ["de", "en"], "nova-3", "multi", ["de", "en"]],
    ["any language", [], "nova-3", "multi", []],
    ["two languages of an older model", ["es", "en"], "nova-2", "multi", []],
  ])("asks for %s", (_, languages, model, language, hints) => {
    const { searchParams } = createUrl({ languages }, model);
    expect(searchParams.get("language")).toBe(language);
    expect(searchParams.getAll("language_hint")).toEqual(hints);
  });

  it("finds the terms of a context in Chinese and Arabic", () => {
    const list = (context: string) => createUrl({ context }).searchParams.getAll("keyterm");
    expect(list("热力学、熵，卡诺循环")).toEqual(["热力学", "熵", "卡诺循环"]);
    expect(list("طاقة، إنتروبيا؛ حرارة")).toEqual(["طاقة", "إنتروبيا", "حرارة"]);
  });

  it("names the audio, the language and what is wanted, and keeps the address's own parameters", () => {
    const url = createUrl();
    expect(url.origin + url.pathname).toBe("wss://api.deepgram.com/v1/listen");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      mip_opt_out: "true",
      model: "nova-3",
      language: "en",
      encoding: "linear16",
      sample_rate: "16000",
      channels: "1",
      interim_results: "true",
      punctuate: "true",
      smart_format: "true",
      diarize: "true",
      endpointing: "500",
    });
  });

  it("asks for no speakers where the recording wants none", () => {
    const url = createUrl({ diarization: false });
    expect(url.searchParams.get("diarize")).toBe("false");
  });

  it("sends the short phrases of the context as keyterms", () => {
    const text = `Thermodynamics, entropy;\nCarnot & Clausius,, ${"long ".repeat(20)}`;
    expect(createUrl({ context: text }).searchParams.getAll("keyterm")).toEqual([
      "Thermodynamics",
      "entropy",
      "Carnot & Clausius",
    ]);
  });

  it("sends the lecture's terms before the phrases of the context, each once", () => {
    const terms = [{ term: "entropy", translation: "熵" }, { term: "long ".repeat(20) }];
    const { searchParams } = createUrl({ terms, context: "Carnot, entropy" });
    expect(searchParams.getAll("keyterm")).toEqual(["entropy", "Carnot"]);
  });

  it("sends at most 40 keyterms, and none to a model without them", () => {
    const context = Array.from({ length: 60 }, (_, n) => `term ${n}`).join(",");
    expect(createUrl({ context }).searchParams.getAll("keyterm")).toHaveLength(40);
    expect(createUrl({ context }, "nova-2").searchParams.has("keyterm")).toBe(false);
  });

  it.each([
    ["English", "extraordinarily long technical phrases of lectures"],
    ["Chinese", "热力学第二定律与卡诺循环"],
  ])("keeps keyterms in %s within the service's 500 tokens, however it counts them", (_, term) => {
    // 40 terms of up to 50 characters
    const long = Array.from({ length: 40 }, (_, n) => `${n} ${term}`.slice(0, 50));
    const context = long.slice(20).join(",");
    const told = long.slice(0, 20).map((one) => ({ term: one }));
    const terms = createUrl({ context, terms: told }).searchParams.getAll("keyterm");
    expect(terms.length).toBeGreaterThan(8);
    expect(new TextEncoder().encode(terms.join("")).length).toBeLessThanOrEqual(500);
  });
});

afterEach(() => vi.unstubAllGlobals());

/** Opens a stream of a server that the test plays. `heard`: what the room hears; `sent`: what the server gets. */
async function openStream(
  url: string,
  over: Partial<Extract<SpeechSettings, { service: "Deepgram" }>> = {},
) {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  vi.stubGlobal("fetch", async () => new Response(null, { status: 101, webSocket: client }));
  const heard: (ProviderMessage | { closed: number })[] = [];
  const sent: unknown[] = [];
  server.addEventListener("message", ({ data }) => sent.push(JSON.parse(String(data))));
  const handlers = {
    message: (one: ProviderMessage) => void heard.push(one),
    closed: (code: number) => void heard.push({ closed: code }),
  };
  const about = { ...start, context: "heat, work" };
  const { signal } = new AbortController();
  const session = await openDeepgramSession({ ...settings, ...over, url }, about, handlers, signal);
  return { server, session, heard, sent };
}

describe("openDeepgramSession", () => {
  it.each([
    [400, null],
    [401, null],
    [429, "sessions"],
  ])("reports a refusal with %i", async (status, limit) => {
    const errors: unknown[] = [];
    const refusal = { err_code: "TOO_MUCH", err_msg: "Too much.", request_id: "r1" };
    vi.stubGlobal("fetch", async () => Response.json(refusal, { status }));
    const handlers = { message: (one: unknown) => errors.push(one), closed: () => {} };
    const { signal } = new AbortController();
    const opening = openDeepgramSession({ ...settings, url: address }, start, handlers, signal);
    await expect(opening).rejects.toThrow(`${status}`);
    expect(errors).toEqual([
      {
        type: "error",
        code: status,
        errorType: "TOO_MUCH",
        requestId: "r1",
        limit,
        detail: "Too much.",
      },
    ]);
  });
});

describe("terms that change in an open stream", () => {
  const terms = [{ term: "entropy" }];

  it("replace the stream's keyterms by `Configure`", async () => {
    const { server, session, heard, sent } = await openStream(`${address}#1`);
    session.changeTerms?.(terms);
    await expect
      .poll(() => sent)
      .toEqual([{ type: "Configure", keyterms: ["entropy", "heat", "work"] }]);
    server.send('{"type":"ConfigureSuccess","request_id":"r","keyterms":["entropy"]}');
    server.send(createFrame({}));
    await expect.poll(() => heard).toMatchObject([{ type: "progress" }]);
  });

  it.each(["ConfigureFailure", "Error"])(
    "go on as they were after `%s`, which is remembered",
    async (type) => {
      const url = `${address}#${type}`;
      const { server, session, heard } = await openStream(url);
      session.changeTerms?.(terms);
      server.send(JSON.stringify({ type, description: "KeytermsNotSupported" }));
      server.send(createFrame({}));
      await expect
        .poll(() => heard)
        .toMatchObject([
          { type: "termsRefused", detail: "KeytermsNotSupported" },
          { type: "progress" },
        ]);
      expect((await openStream(url)).session).not.toHaveProperty("changeTerms");
    },
  );

  it("wait for another stream where a server or a model has no `Configure`", async () => {
    for (const over of [{ hasConfigure: false }, { model: "nova-2" }])
      expect((await openStream(`${address}#2`, over)).session).not.toHaveProperty("changeTerms");
  });
});

describe("the end of a stream after `CloseStream`", () => {
  /** A stream of a server without `Finalize` that has been asked to finalize, and what the room hears of it. */
  async function finalize() {
    const { server, session, heard, sent } = await openStream(address, { hasFinalize: false });
    session.sendControl("finalize");
    await expect.poll(() => sent).toEqual([{ type: "CloseStream" }]);
    const listHeard = () =>
      heard.flatMap((one) => {
        if ("closed" in one) return [`closed ${one.closed}`];
        return one.type === "progress" ? one.tokens.map(({ text }) => text) : [];
      });
    return { server, heard, listHeard };
  }
  const createMetadata = (duration: number) => JSON.stringify({ type: "Metadata", duration });

  it("is its last metadata, and not those of its beginning", async () => {
    const { server, heard, listHeard } = await finalize();
    server.send(createMetadata(0));
    server.send(createFrame({}));
    server.send(createMetadata(2.75));
    await expect.poll(listHeard).toEqual([" Light", " bends.", "<fin>"]);
    expect(heard.at(-1)).toMatchObject({ heardMs: 2_750 });
  });

  it.each([
    [1000, ["<fin>", "closed 1000"]],
    [1011, ["closed 1011"]],
  ])("is a close with %i without metadata, or a failure", async (code, end) => {
    const { server, listHeard } = await finalize();
    server.send(createMetadata(0));
    server.close(code);
    await expect.poll(listHeard).toEqual(end);
  });
});

describe("a room with Deepgram", () => {
  const lecture = spoken({ to: 30 });
  const dialogue = spoken({ to: 24, sentencesPerSpeaker: 1 });
  const base = services.env.speech.url.replace("soniox/transcribe-websocket", "deepgram/");
  /** What the tests read of the stand-in's report. */
  interface Report {
    open: number;
    openedCount: number;
    sessions: {
      finalizes: number;
      answeredFinalizes: number;
      configures: number;
      keyterms: string[];
    }[];
  }
  async function control(failures: object = {}): Promise<Report> {
    const url = `${base.replace(/^ws/, "http")}control`;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(failures) });
    return response.json();
  }
  const openRoom = (one = lecture, { fragment = "", hasFinalize = true } = {}) =>
    new SpeechRoom({ ...settings, url: `${base}v1/listen${fragment}`, hasFinalize }, one, control);

  beforeEach(async () => {
    await expect.poll(async () => (await control()).open).toBe(0);
    await control({ reset: true });
    vi.useFakeTimers({ now: startTime, toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await control({ reset: true, closeNow: 1011 });
  });

  it.each([
    ["PCM", dialogue],
    ["Opus", spokenInOpus()],
    ["a long silence", spoken({ to: 4, tailMs: 25_000 })],
  ])("returns all words of %s from one stream", async (_, one) => {
    expect(await openRoom(one).finish()).toBe(one.text);
    expect((await control()).openedCount).toBe(1);
  });

  it.each<[string, SpokenLanguage[], number]>([
    ["Japanese", ["ja"], 1],
    ["Arabic", ["ar"], 1],
    ["Thai", ["th"], 1],
    ["German and English by turns", ["de", "en"], 2],
    ["detected languages", [], 3],
  ])(
    "loses and doubles no word of %s when the stream closes inside a word",
    async (_, languages, speakers) => {
      const one = spoken({ to: 24, sentencesPerSpeaker: 1, languages, speakers });
      const room = openRoom(one);
      await room.hear(findWord(one, 40));
      await control({ closeNow: 1011 });
      expect(readNumbers(await room.finish())).toEqual(
        one.words.map(({ number, language }) => ({ number, language })),
      );
      const tokens = room.listSent("tokens").flatMap((message) => message.tokens);
      const said = languages.length === 1 ? [undefined] : one.words.map(({ language }) => language);
      expect(new Set(tokens.map(({ language }) => language))).toEqual(new Set(said));
      expect(room.refusals).toBe("");
    },
  );

  it("returns speakers, interim words and ends of utterances", async () => {
    const room = openRoom(dialogue);
    await room.finish();
    const messages = room.listSent("tokens");
    const tokens = messages.flatMap((one) => one.tokens);
    expect(new Set(tokens.map((token) => token.speaker)).size).toBeGreaterThan(1);
    expect(tokens.some((token) => !token.is_final)).toBe(true);
    expect(messages.some((one) => one.endpoint)).toBe(true);
  });

  it.each([
    ["PCM", 1006, lecture],
    ["PCM", 1011, lecture],
    ["Opus", 1011, spokenInOpus()],
  ])("loses and doubles no word of %s when the stream closes with %i", async (_, code, one) => {
    const room = openRoom(one);
    await room.hear(40);
    await control({ closeNow: code });
    expect(await room.finish()).toBe(one.text);
    expect(room.listSent("error")).toEqual([]);
    expect((await control()).openedCount).toBe(2);
  });

  it.each([429, 503])("tries a stream again that was refused with %i", async (refuseWith) => {
    await control({ refuseWith, refuseTimes: 1 });
    const room = openRoom();
    expect(await room.finish()).toBe(lecture.text);
    expect(room.listSent("error")).toEqual([]);
  });

  it("goes on without keyterms when the service refuses them", async () => {
    await control({ refuseKeyterms: true });
    const room = openRoom();
    room.config({
      from: 0,
      heldMs: 0,
      lectureEndMs: 0,
      codec: lecture.codec,
      terms: [{ term: "entropy" }],
    });
    expect(await room.finish()).toBe(lecture.text);
    expect(room.listEffects("log").map(({ event }) => event)).toContain("provider_hints_refused");
    expect(room.refusals).toBe("");
  });

  it("changes the keyterms of an open stream, and loses and doubles no word", async () => {
    const room = openRoom();
    await room.hear(40);
    room.browser({ type: "terms", terms: [{ term: "entropy" }] });
    await room.until(async () => (await control()).sessions[0]?.configures === 1);
    expect(await room.finish()).toBe(lecture.text);
    expect(await control()).toMatchObject({
      openedCount: 1,
      sessions: [{ keyterms: ["entropy"] }],
    });
  });

  it.each([400, 401, 402])("reports a refusal with %i, which no retry can mend", async (status) => {
    await control({ refuseWith: status });
    const room = openRoom();
    room.sendUntil(1);
    await room.until(() => room.listEffects("closeClient").length > 0);
    expect(room.listSent("error")).toMatchObject([
      { code: "transcription_failed", retryable: false },
    ]);
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1008 }]);
  });

  it("keeps the audio for the next stream when none of it is answered", async () => {
    const room = openRoom();
    await room.hear(40);
    await control({ silent: true });
    room.sendUntil(lecture.chunks.length);
    room.browser({ type: "finalize" });
    await room.until(async () => (await control()).openedCount === 2);
    expect(room.listSent("finalized")).toEqual([]);
    await control({ silent: false, closeNow: 1011 });
    expect(await room.finish()).toBe(lecture.text);
  });

  it("ends with all words after a silence, in which `Finalize` is not answered", async () => {
    const quiet = spoken({ to: 6, tailMs: 5_400 });
    expect(await openRoom(quiet).finish()).toBe(quiet.text);
    const { sessions } = await control();
    expect(sessions).toMatchObject([{ finalizes: 1, answeredFinalizes: 0 }]);
  });

  it("ends with all words when `Finalize` is not answered, and goes on after it", async () => {
    await control({ ignoreFinalize: true });
    const room = openRoom();
    room.sendUntil(findPause(lecture, 30));
    await room.stop();
    expect((await control()).openedCount).toBe(1);
    expect(await room.finish()).toBe(lecture.text);
  });

  it("loses and doubles no word when a stop is taken back before its answer", async () => {
    await control({ ignoreFinalize: true });
    const room = openRoom();
    room.sendUntil(findPause(lecture, 30));
    room.browser({ type: "finalize" });
    room.sendUntil(findWord(lecture, 50));
    await room.until(() => room.listSent("finalized").length > 0);
    room.sendUntil(findWord(lecture, 60));
    expect(await room.finish()).toBe(lecture.text);
  });

  it.each([false, true])(
    "ends inside a word with the words before it (unanswered: %s)",
    async (ignoreFinalize) => {
      await control({ ignoreFinalize });
      const count = findWord(lecture, 50);
      const whole = lecture.words.filter((word) => word.endMs <= count * 256);
      const room = openRoom({ ...lecture, chunks: lecture.chunks.slice(0, count) });
      expect(await room.finish()).toBe(whole.map((word) => word.text).join(" "));
    },
  );

  describe("as WhisperLiveKit", () => {
    /** Words, `seconds` of silence, and more words. */
    function spokenWithPause(seconds: number): SpokenLecture {
      const before = spoken({ to: 12 });
      const after = spoken({ from: 13, to: 24 });
      const silent = Array.from(
        { length: Math.ceil(seconds / 0.256) },
        () => new Uint8Array(8_192),
      );
      const chunks = [...before.chunks, ...silent, ...after.chunks];
      const fromMs = (before.chunks.length + silent.length) * before.chunkMs;
      const moved = after.words.map((word) => ({
        ...word,
        startMs: word.startMs + fromMs,
        endMs: word.endMs + fromMs,
      }));
      const words = [...before.words, ...moved];
      return { ...before, chunks, words, text: `${before.text} ${after.text}` };
    }
    const listFinalizes = async () => (await control()).sessions.map(({ finalizes }) => finalizes);
    beforeEach(() => control({ whisperLiveKit: true }));

    it("learns from the beginning of a stream that a stop is `CloseStream` alone", async () => {
      const room = openRoom(lecture, { fragment: "#own" });
      await room.speakUntil(findPause(lecture, 30));
      await room.stop();
      expect(await room.finish()).toBe(lecture.text);
      expect(await listFinalizes()).toEqual([0, 0]);
    });

    it.each([5, 20, 30, 75])(
      "writes all that is said before and after %i s of silence",
      async (seconds) => {
        const one = spokenWithPause(seconds);
        const room = openRoom(one, { hasFinalize: false });
        await room.speakUntil(one.chunks.length);
        expect(await room.finish()).toBe(one.text);
        expect(room.listAcknowledgedWithoutWords()).toEqual([]);
        expect(room.listLosses()).toEqual([]);
      },
    );

    it("acknowledges no sound without its words while the server is late", async () => {
      await control({ lateMs: 12_000 });
      const long = spoken({ to: 60 });
      const room = openRoom(long, { hasFinalize: false });
      await room.speakUntil(long.chunks.length);
      expect(await room.finish()).toBe(long.text);
      expect(room.listAcknowledgedWithoutWords()).toEqual([]);
      expect((await control()).openedCount).toBe(1);
    });

    it("keeps what was written live when a stream is closed that is late", async () => {
      await control({ lateMs: 12_000 });
      const long = spoken({ to: 60 });
      const room = openRoom(long, { hasFinalize: false });
      await room.speakUntil(findWord(long, 70));
      await control({ closeNow: 1011 });
      await room.speakUntil(long.chunks.length);
      expect(await room.finish()).toBe(long.text);
      expect(room.listAcknowledgedWithoutWords()).toEqual([]);
    });

    it("ends with all words at a stop while it is so late that a stream is being ended", async () => {
      await control({ lateMs: 600_000 });
      const long = spoken({ to: 60 });
      const room = openRoom(long, { hasFinalize: false });
      await room.speakUntil(fullChunks + 4);
      const whole = long.words.filter(({ endMs }) => endMs <= (fullChunks + 4) * long.chunkMs);
      room.browser({ type: "finalize" });
      await expect.poll(async () => (await control()).open).toBe(0);
      await room.until(() => room.listSent("finalized").length > 0);
      expect(room.text).toBe(whole.map(({ text }) => text).join(" "));
      expect(room.listAcknowledgedWithoutWords()).toEqual([]);
      expect(room.listLosses()).toEqual([]);
    });

    it.each(["PCM", "Opus"])(
      "gives %s that a stream has not counted at its end to another one",
      async (codec) => {
        await control({ deafAfterMs: 8_000 });
        const one = codec === "PCM" ? lecture : spokenInOpus();
        const room = openRoom(one, { hasFinalize: false });
        await room.speakUntil(one.chunks.length);
        expect(await room.finish()).toBe(one.text);
        expect(room.listAcknowledgedWithoutWords()).toEqual([]);
      },
    );

    it("sends no `Finalize` where the settings say that it has none", async () => {
      const room = openRoom(lecture, { hasFinalize: false });
      room.sendUntil(findPause(lecture, 30));
      await room.stop();
      expect(await room.finish()).toBe(lecture.text);
      expect(await listFinalizes()).toEqual([0, 0]);
    });

    it("goes on with all words where terms change that it cannot take", async () => {
      const room = openRoom(lecture, { fragment: "#terms", hasFinalize: false });
      await room.hear(40);
      room.browser({ type: "terms", terms: [{ term: "entropy" }] });
      expect(await room.finish()).toBe(lecture.text);
      expect(room.refusals).toBe("");
    });

    it("shows interim words", async () => {
      const room = openRoom(lecture, { hasFinalize: false });
      await room.finish();
      const tokens = room.listSent("tokens").flatMap((one) => one.tokens);
      expect(tokens.filter((token) => !token.is_final).length).toBeGreaterThan(10);
    });
  });
});
