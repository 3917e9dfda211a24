import { prices } from "#bench/scale/figures.ts";
import type { ProviderStart } from "#server/recording/room/events.ts";
import { parseSonioxMessage, toSonioxStart } from "#worker/adapters/soniox-messages.ts";
import { type Answer, createExchange, type Exchange } from "./exchange.ts";
import { type RehearsedService, type Side, wrongKey, wrongModel } from "./service.ts";
import { chunkSound, countFoundWords, type Sound } from "./sound.ts";
import { readSpeechFacts, readTranslationFacts, readWords } from "./speech-facts.ts";
import { Stream } from "./stream.ts";

const vocabulary = new Set(["error_code", "error_type"]);

const start: ProviderStart = {
  recordingId: "rehearsal",
  codec: "pcm_s16le",
  sampleRate: 16_000,
  diarization: true,
  endpointDelayMs: 800,
  languages: ["en"],
  translation: null,
  context: "A rehearsal.",
  topic: "Rehearsal",
  terms: [{ term: "entropy" }],
};

function toAnswers({ answers, closeCode, refusal }: Stream): Answer[] {
  if (refusal) return [{ kind: `${refusal.status}`, body: refusal.body }];
  const messages = answers.map(({ body }) => {
    const { error_type, error_code, finished } = (body ?? {}) as Record<string, unknown>;
    const isError = error_type !== undefined || error_code !== undefined;
    return { kind: isError ? "error" : finished === true ? "finished" : "answer", body };
  });
  return [...messages, { kind: `closed with ${closeCode}`, body: undefined }];
}

/** What the adapter makes of the last answer. */
function readError(stream: Stream): Exchange["facts"] {
  const message = parseSonioxMessage(stream.answers.at(-1)?.body);
  if (message?.type !== "error") return { "the adapter reads": message?.type ?? "nothing" };
  const { code, errorType, requestId } = message;
  return { "the adapter reads": `${code} ${errorType}`, "has a request id": requestId !== null };
}

async function speak({ settings, pace }: Side, sound: Sound, codec: ProviderStart["codec"]) {
  const { url, apiKey, endpointSensitivity } = settings.soniox;
  const stream = new Stream(url, { authorization: `Bearer ${apiKey}` });
  if (await stream.open()) {
    stream.send(toSonioxStart({ ...start, codec }, endpointSensitivity));
    const { chunks, chunkMs } = chunkSound(sound, codec);
    await stream.sendSound(chunks, chunkMs, pace);
    stream.send({ type: "finalize" });
    const hasFinalized = () =>
      stream.answers.some(({ body }) => JSON.stringify(body).includes('"<fin>"'));
    await stream.until(hasFinalized);
    stream.send({ type: "keepalive" });
    stream.send("");
    await stream.closed();
  }
  const { firstMs, text } = readWords(stream, parseSonioxMessage);
  return createExchange(`speech as ${codec}`, toAnswers(stream), vocabulary, {
    facts: readSpeechFacts(stream, sound.seconds * 1_000, parseSonioxMessage),
    times: { "first words, ms": firstMs, ...countFoundWords(sound, text) },
  });
}

/** The same with translation in the stream. Some services end a finalize before the translations of its words. */
async function translate(
  { settings, pace }: Side,
  sound: Sound,
  translation: NonNullable<ProviderStart["translation"]>,
): Promise<Exchange> {
  const { url, apiKey } = settings.soniox;
  const stream = new Stream(url, { authorization: `Bearer ${apiKey}` });
  if (await stream.open()) {
    stream.send(toSonioxStart({ ...start, translation }));
    const { chunks, chunkMs } = chunkSound(sound, start.codec);
    await stream.sendSound(chunks, chunkMs, pace);
    stream.send({ type: "finalize" });
    stream.send("");
    await stream.closed();
  }
  const answers = toAnswers(stream);
  const name = `speech translated ${translation.type === "one_way" ? "one way" : "two ways"}`;
  return createExchange(
    name,
    answers,
    vocabulary,
    readTranslationFacts(stream, parseSonioxMessage),
  );
}

/** A stream that is refused, or ended by the service. `first`: what is sent in place of a start message. */
async function provoke(
  side: Side,
  name: string,
  { key = side.settings.soniox.apiKey, first = {}, after = [], url }: Provocation,
): Promise<Exchange> {
  const stream = new Stream(
    url ?? side.settings.soniox.url,
    key === null ? {} : { authorization: `Bearer ${key}` },
  );
  if (await stream.open()) {
    stream.send(typeof first === "string" ? first : { ...toSonioxStart(start), ...first });
    for (const message of after) stream.send(message);
    await stream.closed();
  }
  const answers = toAnswers(stream);
  return createExchange(name, answers, vocabulary, { facts: readError(stream) });
}

interface Provocation {
  /** Another address. */
  url?: string;
  /** Of the header; null for none. */
  key?: string | null;
  /** The start message, or what is changed in it. */
  first?: string | object;
  after?: readonly (string | object)[];
}

const longContext = { context: { text: "entropy ".repeat(1_300) } };

export const soniox: RehearsedService = {
  name: "Soniox",
  settings: ["SONIOX_API_KEY", "SONIOX_URL", "SONIOX_ENDPOINT_SENSITIVITY"],
  findMissing: (isSet) => (isSet("SONIOX_API_KEY") ? null : "SONIOX_API_KEY"),
  estimateCost(_, seconds) {
    const streamSeconds = 4 * (seconds + 5) + 30;
    return {
      work: `${Math.round(streamSeconds)} s of streams, and refused ones`,
      dollars: (streamSeconds / 3_600) * prices.soniox.value,
      basis: `${prices.soniox.value} ${prices.soniox.unit}`,
    };
  },
  run: (side, sound) =>
    Promise.all([
      speak(side, sound, "pcm_s16le"),
      speak(side, sound, "opus"),
      translate(side, sound, { type: "one_way", target: "fr" }),
      translate(side, sound, { type: "two_way", languages: ["en", "fr"] }),
      provoke(side, "a translation into no language", {
        first: { translation: { type: "one_way", target_language: "xx" } },
      }),
      provoke(side, "a wrong key", { key: wrongKey }),
      provoke(side, "no key", { key: null }),
      provoke(side, "the key in the start message", {
        key: null,
        first: { api_key: side.settings.soniox.apiKey },
        after: [""],
      }),
      provoke(side, "the key twice", { first: { api_key: side.settings.soniox.apiKey } }),
      provoke(side, "a wrong model", { first: { model: wrongModel } }),
      provoke(side, "a start message that is no JSON", { first: "hello" }),
      provoke(side, "a start message without a sample rate", { first: { sample_rate: undefined } }),
      provoke(side, "an endpoint sensitivity of 2", { first: { endpoint_sensitivity: 2 } }),
      provoke(side, "an endpoint delay of 4 s", { first: { max_endpoint_delay_ms: 4_000 } }),
      provoke(side, "a context that is too long", { first: longContext }),
      provoke(side, "an unknown message", { after: [{ type: "rehearse" }] }),
      provoke(side, "a start without sound", { url: side.toIdleUrl(side.settings.soniox.url) }),
    ]),
};
