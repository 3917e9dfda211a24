import { describe, expect, test } from "vitest";
import type { ProviderStart } from "#server/recording/room/events.ts";
import { parseSonioxMessage, toSonioxStart } from "#worker/adapters/soniox-messages.ts";
import { parseJson } from "#worker/adapters/speech-session.ts";

const parseFrame = (frame: unknown) => parseSonioxMessage(parseJson(frame));

describe("the first message of a stream", () => {
  const start: ProviderStart = {
    recordingId: "recording",
    codec: "pcm_s16le",
    sampleRate: 44_100,
    diarization: false,
    endpointDelayMs: 1_200,
    languages: ["en"],
    context: "",
    translation: null,
    topic: "",
    terms: [],
  };
  const settings = {
    model: "stt-rt-v5",
    language_hints: ["en"],
    enable_speaker_diarization: false,
    enable_endpoint_detection: true,
    max_endpoint_delay_ms: 1_200,
    client_reference_id: "recording",
  };

  test("has the format of PCM; Opus says its own", () => {
    const pcm = { audio_format: "pcm_s16le", sample_rate: 44_100, num_channels: 1 };
    expect(toSonioxStart(start)).toEqual({ ...settings, ...pcm });
    const opus = { ...settings, audio_format: "auto" };
    expect(toSonioxStart({ ...start, codec: "opus" })).toEqual(opus);
  });

  test.each<[string, ProviderStart["languages"], object]>([
    ["one language", ["ja"], { language_hints: ["ja"], language_hints_strict: true }],
    [
      "two languages",
      ["de", "en"],
      {
        language_hints: ["de", "en"],
        language_hints_strict: true,
        enable_language_identification: true,
      },
    ],
    ["any language", [], { enable_language_identification: true }],
  ])(
    "restricts the service to %s, and has it say which one only where it must",
    (_, languages, expected) => {
      const { language_hints: _hints, ...others } = settings;
      const opus = { ...others, audio_format: "auto" };
      expect(toSonioxStart({ ...start, codec: "opus", languages })).toEqual({
        ...opus,
        ...expected,
      });
    },
  );

  test("says how readily sentences end, where the site sets it, and never the key", () => {
    expect(toSonioxStart(start, -0.5)).toMatchObject({ endpoint_sensitivity: -0.5 });
    expect(toSonioxStart(start)).not.toHaveProperty("endpoint_sensitivity");
    expect(toSonioxStart(start)).not.toHaveProperty("api_key");
  });

  test("has the lecture's context", () => {
    expect(toSonioxStart({ ...start, context: "Cells" }).context).toEqual({ text: "Cells" });
  });

  test("has what the lecture is about, its terms and their translations", () => {
    const terms = [{ term: "ribosome", translation: "核糖体" }, { term: "cristae" }];
    expect(toSonioxStart({ ...start, terms, topic: "Biology" }).context).toEqual({
      general: [{ key: "topic", value: "Biology" }],
      terms: ["ribosome", "cristae"],
      translation_terms: [{ source: "ribosome", target: "核糖体" }],
    });
    expect(toSonioxStart(start)).not.toHaveProperty("context");
  });

  test("keeps within what the service accepts: the context first, then terms", () => {
    const long = (n: number) => ({ term: `${n}`.repeat(50), translation: '"'.repeat(200) });
    const terms = Array.from({ length: 50 }, (_, n) => long(n + 10));
    const sent = toSonioxStart({ ...start, context: "热".repeat(1_000), terms }).context;
    expect(JSON.stringify(sent).length).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify(sent).length).toBeGreaterThan(9_000);
    expect(sent).toMatchObject({ text: "热".repeat(1_000), terms: terms.map(({ term }) => term) });
  });
});

describe("an answer of the speech service", () => {
  test("is parsed with unknown additional fields", () => {
    const frame = JSON.stringify({
      tokens: [
        {
          text: " one",
          start_ms: 10,
          end_ms: 90,
          confidence: 0.9,
          is_final: true,
          speaker: "1",
          language: "en",
          mood: "fine",
        },
        { text: "<end>", is_final: true },
      ],
      final_audio_proc_ms: 100,
      total_audio_proc_ms: 250,
      error_code: null,
      weather: "rain",
    });
    expect(parseFrame(frame)).toEqual({
      type: "progress",
      tokens: [
        { text: " one", isFinal: true, startMs: 10, endMs: 90, speaker: "1", language: "en" },
        { text: "<end>", isFinal: true, startMs: null, endMs: null, speaker: null },
      ],
      finalMs: 100,
      processedMs: 250,
    });
  });

  const fields = { errorType: null, requestId: null, limit: null, detail: "" };
  const limit = { error_code: 429, error_type: "limit_exceeded" };
  test.each([
    [
      { error_code: 503, error_message: "Restart." },
      { code: 503, detail: "Restart." },
    ],
    [
      { error_code: 400, error_type: "balance_exhausted", request_id: "r1" },
      { code: 402, errorType: "balance_exhausted", requestId: "r1" },
    ],
    [{ error_type: "unauthenticated" }, { code: 401, errorType: "unauthenticated" }],
    [
      { error_code: 400, error_type: "model_not_available" },
      { code: 400, errorType: "model_not_available" },
    ],
  ])("is an error, known by its type before its code: %o", (frame, expected) => {
    const message = { type: "error", ...fields, ...expected };
    expect(parseFrame(JSON.stringify({ tokens: [], ...frame }))).toEqual(message);
  });

  test.each([
    ["Requests per minute limit has been exceeded for your project.", "requests"],
    ["Concurrent requests limit has been exceeded for your organization.", "sessions"],
    ["Limit exceeded.", null],
  ])("tells which limit is meant by %o", (error_message, expected) => {
    const frame = JSON.stringify({ ...limit, error_message });
    expect(parseFrame(frame)).toMatchObject({ code: 429, limit: expected });
  });

  test.each(["xx", "zh-Hant", "", 3, null])(
    "leaves out the language %j, which is none of ours",
    (language) => {
      const frame = JSON.stringify({ tokens: [{ text: "一", language }] });
      const message = parseFrame(frame);
      expect(message?.type === "progress" && message.tokens[0]).not.toHaveProperty("language");
    },
  );

  test("counts a token with a time or a speaker that makes no sense", () => {
    const token = { text: " one", start_ms: -1, end_ms: "90", speaker: {} };
    expect(parseFrame(JSON.stringify({ tokens: [token] }))).toEqual({
      type: "progress",
      tokens: [{ text: " one", isFinal: false, startMs: null, endMs: null, speaker: null }],
      finalMs: 0,
      processedMs: 0,
    });
  });

  test.each([
    "",
    "nonsense",
    "null",
    "[]",
    "3",
    '{"tokens":[{"text":5}]}',
    '{"tokens":[{}]}',
    '{"tokens":{}}',
    '{"tokens":[null]}',
    '{"total_audio_proc_ms":"1"}',
    '{"error_code":"x"}',
    new ArrayBuffer(4),
  ])("that makes no sense is none: %o", (frame) => {
    expect(parseFrame(frame)).toBeNull();
  });
});
