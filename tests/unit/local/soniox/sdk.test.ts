import { SonioxNodeClient } from "@soniox/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks, toOggStream } from "#tests/fixtures/opus.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { serve } from "./serve.ts";

/** The official client, unmodified, against the stand-in. It sends its key in the start message. */
const rate = 16_000;
let soniox: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  soniox = await serve({ acceptsKeyInStart: true });
});
afterAll(() => soniox.close());

function session(key = "test-key", options: object = {}) {
  const client = new SonioxNodeClient({ api_key: key, realtime: { ws_base_url: soniox.url } });
  return client.realtime.stt({
    model: "stt-rt-v5",
    audio_format: "pcm_s16le",
    sample_rate: rate,
    num_channels: 1,
    enable_speaker_diarization: true,
    enable_endpoint_detection: true,
    context: { text: "Numbers.", terms: ["forty-two"] },
    ...options,
  });
}

const slicePcm = (samples: Float32Array) =>
  Array.from({ length: Math.ceil(samples.length / 4096) }, (_, index) =>
    encodePcm16(samples.subarray(index * 4096, (index + 1) * 4096)),
  );
const sliceOgg = (samples: Float32Array) => toOggStream(encodeOpusChunks(samples));
const container = { audio_format: "auto", sample_rate: undefined, num_channels: undefined };

async function transcribe(samples: Float32Array, slice = slicePcm, options: object = {}) {
  const stt = session("test-key", options);
  const words: { text: string; speaker: string | undefined }[] = [];
  let endpoints = 0;
  let interim = 0;
  stt.on("result", ({ tokens }) => {
    for (const token of tokens) {
      if (!token.is_final) interim++;
      else if (token.text.startsWith(" "))
        words.push({ text: token.text.trim(), speaker: token.speaker });
      else {
        const last = words.at(-1);
        if (last) last.text += token.text;
      }
    }
  });
  stt.on("endpoint", () => endpoints++);
  await stt.connect();
  for (const bytes of slice(samples)) stt.sendAudio(bytes);
  await stt.finish();
  return { words, endpoints, interim };
}

describe("the official client", () => {
  it.each([
    ["PCM", slicePcm, {}],
    ["Ogg Opus", sliceOgg, container],
  ])(
    "transcribes the fixture in %s: every word once, in order, with its speaker",
    async (...[, slice, format]) => {
      const fixture = createLectureFixture({
        to: 24,
        sampleRate: rate,
        wordsPerSentence: 3,
        speakers: 3,
      });
      const { words, endpoints, interim } = await transcribe(fixture.samples, slice, format);
      expect(words).toEqual(fixture.words.map(({ text, speaker }) => ({ text, speaker })));
      expect(endpoints).toBeGreaterThan(0);
      expect(interim).toBeGreaterThan(24);
    },
  );

  it.each<[string, readonly SpokenLanguage[], readonly SpokenLanguage[]]>([
    ["Japanese", ["ja"], ["ja"]],
    ["Arabic", ["ar"], ["ar"]],
    ["Thai", ["th"], ["th"]],
    ["German and English by turns", ["de", "en"], ["de", "en"]],
    ["whatever is spoken", [], ["en", "de", "ja"]],
  ])(
    "transcribes %s: every word once, with its language where it is found out",
    async (_, languages, spoken) => {
      const fixture = createLectureFixture({
        to: 24,
        sampleRate: rate,
        wordsPerSentence: 4,
        sentencesPerSpeaker: 1,
        speakers: spoken.length,
        languages,
      });
      const identifies = languages.length !== 1;
      const stt = session("test-key", {
        ...(languages.length > 0 && { language_hints: languages, language_hints_strict: true }),
        ...(identifies && { enable_language_identification: true }),
      });
      const tokens: { text: string; language?: string | undefined }[] = [];
      stt.on("token", (token) => {
        if (token.is_final && !/^<(?:end|fin)>$/.test(token.text)) tokens.push(token);
      });
      await stt.connect();
      for (const bytes of slicePcm(fixture.samples)) stt.sendAudio(bytes);
      await stt.finish();
      expect(readNumbers(tokens.map(({ text }) => text).join(""))).toEqual(
        fixture.words.map(({ number, language }) => ({ number, language })),
      );
      expect(new Set(tokens.map(({ language }) => language))).toEqual(
        new Set(identifies ? spoken : [undefined]),
      );
    },
  );

  it.each([
    ["one way", { type: "one_way", target_language: "fr" }, ["en", "de", "ja"], ["fr", "fr", "fr"]],
    [
      "two ways",
      { type: "two_way", language_a: "en", language_b: "de" },
      ["en", "de"],
      ["de", "en"],
    ],
  ] as const)(
    "translates %s: every word once, in pieces without times; a third language stays as it is",
    async (_, translation, spoken, into) => {
      const fixture = createLectureFixture({
        to: 24,
        sampleRate: rate,
        wordsPerSentence: 4,
        sentencesPerSpeaker: 1,
        speakers: 3,
        languages: [],
      });
      const stt = session("test-key", { enable_language_identification: true, translation });
      const said: number[] = [];
      const read = (text: string) => readNumbers(text.toLowerCase());
      let translated = "";
      stt.on("token", (token) => {
        if (!token.is_final || /^<(?:end|fin)>$/.test(token.text)) return;
        const { language, source_language, translation_status, start_ms } = token;
        if (translation_status !== "translation") {
          const isTranslated = (spoken as readonly unknown[]).includes(language);
          expect(translation_status).toBe(isTranslated ? "original" : "none");
          return;
        }
        expect(start_ms).toBeUndefined();
        expect(language).toBe(into[(spoken as readonly unknown[]).indexOf(source_language)]);
        translated += token.text;
      });
      await stt.connect();
      for (const bytes of slicePcm(fixture.samples)) stt.sendAudio(bytes);
      await stt.finish();
      for (const { number, language } of fixture.words)
        if ((spoken as readonly SpokenLanguage[]).includes(language)) said.push(number);
      expect(read(translated).map(({ number }) => number)).toEqual(said);
    },
  );

  it("finalizes in the middle and continues", async () => {
    const fixture = createLectureFixture({ to: 6, sampleRate: rate });
    const stt = session();
    let finals = "";
    stt.on("token", (token) => {
      if (token.is_final) finals += token.text;
    });
    await stt.connect();
    const finalized = new Promise<void>((resolve) => stt.once("finalized", () => resolve()));
    const half = Math.round(((fixture.words[2]?.endMs ?? 0) * rate) / 1000);
    stt.sendAudio(encodePcm16(fixture.samples.subarray(0, half)));
    stt.finalize();
    await finalized;
    expect(finals.trim()).toBe("one two three");
    stt.sendAudio(encodePcm16(fixture.samples.subarray(half)));
    await stt.finish();
    expect(finals.trim()).toBe("one two three four five. six.");
  });

  it("reports a wrong key, a wrong model and a failing service as its own error classes", async () => {
    const failure = async (stt: ReturnType<typeof session>) => {
      const error = new Promise<Error>((resolve) => stt.on("error", resolve));
      await stt.connect();
      return error;
    };
    expect((await failure(session("bad-key"))).name).toBe("AuthError");
    expect((await failure(session("key", { model: "stt-rt-v1" }))).name).toBe("BadRequestError");
    for (const [status, name] of [
      [402, "QuotaError"],
      [429, "QuotaError"],
      [408, "NetworkError"],
      [503, "NetworkError"],
    ] as const) {
      await soniox.control({ errorOnStart: status });
      expect((await failure(session())).name).toBe(name);
    }
    await soniox.control({ reset: true });
  });
});
