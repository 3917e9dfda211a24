import type { ProviderStart } from "#server/recording/room/events.ts";
import { toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import {
  parseConfigureAnswer,
  parseDeepgramMessage,
  parseRefusal,
  parseStreamEnd,
} from "#worker/adapters/deepgram-messages.ts";
import { type Answer, createExchange, type Exchange } from "./exchange.ts";
import { type RehearsedService, type Side, wrongKey, wrongModel } from "./service.ts";
import { chunkSound, countFoundWords, type Sound } from "./sound.ts";
import { readSpeechFacts, readWords } from "./speech-facts.ts";
import { Stream } from "./stream.ts";

const vocabulary = new Set(["type", "err_code"]);
/** Nova-3, live, for one language: deepgram.com/pricing, 2026-11-26. */
const dollarsAMinute = 0.0077;

const start: ProviderStart = {
  recordingId: "rehearsal",
  codec: "pcm_s16le",
  sampleRate: 16_000,
  diarization: true,
  endpointDelayMs: 800,
  languages: ["en"],
  translation: null,
  context: "",
  topic: "",
  terms: [{ term: "entropy" }],
};

const toAnswers = ({ answers, closeCode, refusal }: Stream): Answer[] =>
  refusal
    ? [{ kind: `${refusal.status}`, body: refusal.body }]
    : [
        ...answers.map(({ body }) => ({
          kind: String((body as { type?: unknown } | undefined)?.type),
          body,
        })),
        { kind: `closed with ${closeCode}`, body: undefined },
      ];

interface StreamOptions {
  /** Another address. */
  url?: string;
  start?: Partial<ProviderStart>;
  model?: string;
  key?: string;
  /** Parameters of the address that the adapter never sends. */
  parameters?: readonly (readonly [name: string, value: string])[];
}

function openStream({ settings }: Side, options: StreamOptions): Stream {
  const { url: usual, apiKey, model: usualModel } = settings.deepgram;
  const { url = usual, model = usualModel } = options;
  const address = new URL(toDeepgramUrl({ url, model }, { ...start, ...options.start }));
  const { parameters = [] } = options;
  for (const [name] of parameters) address.searchParams.delete(name);
  for (const [name, value] of parameters) address.searchParams.append(name, value);
  const key = options.key ?? apiKey;
  return new Stream(address.href, key === "" ? {} : { authorization: `Token ${key}` });
}

async function speak(side: Side, sound: Sound, codec: ProviderStart["codec"]): Promise<Exchange> {
  const stream = openStream(side, { start: { codec } });
  const bodies = () => stream.answers.map(({ body }) => JSON.stringify(body));
  if (await stream.open()) {
    const { chunks, chunkMs } = chunkSound(sound, codec);
    await stream.sendSound(chunks, chunkMs, side.pace);
    stream.send({ type: "Finalize" });
    await stream.until(() => bodies().some((body) => body.includes('"from_finalize":true')));
    stream.send({ type: "KeepAlive" });
    stream.send({ type: "CloseStream" });
    await stream.closed();
  }
  const { firstMs, text } = readWords(stream, parseDeepgramMessage);
  return createExchange(`speech as ${codec}`, toAnswers(stream), vocabulary, {
    facts: {
      ...readSpeechFacts(stream, sound.seconds * 1_000, parseDeepgramMessage),
      "the adapter sees the end": stream.answers.some(({ body }) => parseStreamEnd(body) !== null),
    },
    times: { "first words, ms": firstMs, ...countFoundWords(sound, text) },
  });
}

async function configure(side: Side): Promise<Exchange> {
  const stream = openStream(side, {});
  if (await stream.open()) {
    stream.send({ type: "Configure", keyterms: ["entropy", "enthalpy"] });
    await stream.until(() => stream.answers.length > 0);
    stream.send({ type: "CloseStream" });
    await stream.closed();
  }
  const answer = stream.answers.map(({ body }) => parseConfigureAnswer(body));
  const isTaken = answer.some((one) => one !== null && !one.isRefused);
  return createExchange("other terms", toAnswers(stream), vocabulary, {
    facts: { "the adapter reads that they are taken": isTaken },
  });
}

async function provoke(
  side: Side,
  name: string,
  options: StreamOptions & { after?: readonly string[] },
): Promise<Exchange> {
  const stream = openStream(side, options);
  if (await stream.open()) {
    for (const message of options.after ?? []) stream.send(message);
    await stream.closed();
  }
  const { refusal } = stream;
  const error = refusal && parseRefusal(refusal.status, refusal.body);
  return createExchange(name, toAnswers(stream), vocabulary, {
    facts: error
      ? {
          "the adapter reads": `${error.code} ${error.errorType}`,
          "has a request id": error.requestId !== null,
        }
      : {},
  });
}

const manyTerms = Array.from(
  { length: 120 },
  (_, index) => ["keyterm", `thermodynamics ${index}`] as const,
);

export const deepgram: RehearsedService = {
  name: "Deepgram",
  settings: ["DEEPGRAM_API_KEY", "DEEPGRAM_URL", "DEEPGRAM_MODEL"],
  findMissing: (isSet) =>
    isSet("DEEPGRAM_API_KEY") || isSet("DEEPGRAM_URL") ? null : "DEEPGRAM_API_KEY",
  estimateCost(_, seconds) {
    const streamSeconds = 2 * (seconds + 5) + 15;
    return {
      work: `${Math.round(streamSeconds)} s of streams, and refused ones`,
      dollars: (streamSeconds / 60) * dollarsAMinute,
      basis: `$${dollarsAMinute} a minute; a server of your own costs nothing`,
    };
  },
  run: (side, sound) =>
    Promise.all([
      speak(side, sound, "pcm_s16le"),
      speak(side, sound, "opus"),
      configure(side),
      provoke(side, "a wrong key", { key: wrongKey }),
      provoke(side, "a wrong model", { model: wrongModel }),
      provoke(side, "a wrong encoding", { parameters: [["encoding", "none"]] }),
      provoke(side, "too many terms", { parameters: manyTerms }),
      provoke(side, "a message that is no JSON", { after: ["hello"] }),
      provoke(side, "a start without sound", { url: side.toIdleUrl(side.settings.deepgram.url) }),
    ]),
};
