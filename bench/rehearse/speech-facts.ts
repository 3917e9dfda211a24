import type { ProviderMessage, ProviderToken } from "#server/recording/room/events.ts";
import type { Exchange } from "./exchange.ts";
import type { Stream } from "./stream.ts";

type Progress = Extract<ProviderMessage, { type: "progress" }>;

const isSaid = ({ translation }: ProviderToken) => translation !== "translation";
const isMark = ({ text }: ProviderToken) => /^<\w+>$/.test(text);

/**
 * What must be true of the answers to speech, as our adapter reads them. `soundMs`: length of the sound. `parse`: the
 * adapter's; it returns null for what it cannot read.
 */
export function readSpeechFacts(
  stream: Stream,
  soundMs: number,
  parse: (body: unknown) => ProviderMessage | null,
): Exchange["facts"] {
  const messages = stream.answers.map(({ body }) => parse(body));
  const progress = messages.filter((one): one is Progress => one?.type === "progress");
  const tokens = progress.flatMap((one) => one.tokens).filter(isSaid);
  const words = tokens.filter((one) => one.isFinal && !isMark(one));
  const starts = words.map(({ startMs }) => startMs ?? -1);
  const isAscending = (values: readonly number[]) =>
    values.every((value, index) => value >= (values[index - 1] ?? 0));
  // A decoder adds or drops a little at both ends.
  const isInside = ({ startMs, endMs }: ProviderToken) =>
    startMs !== null && endMs !== null && startMs <= endMs && endMs <= soundMs + 500;
  return {
    "the adapter reads words": words.length > 0,
    "words come as interim first": tokens.some((one) => !one.isFinal),
    "final words begin one after the other": isAscending(starts),
    "times of final words lie in the sound": words.every(isInside),
    "the time up to which words are final does not fall": isAscending(
      progress.filter((one) => one.tokens.some((token) => token.isFinal)).map((one) => one.finalMs),
    ),
    "the end of a sentence is marked": tokens.some(({ text }) => text === "<end>"),
    "the end of a finalize is marked": tokens.some(({ text }) => text === "<fin>"),
    "all sound is processed at the end":
      Math.abs((progress.at(-1)?.processedMs ?? 0) - soundMs) < 1_000,
  };
}

/** When words came first, ms after the connection was asked for, all final words, and their text. */
export function readWords(
  stream: Stream,
  parse: (body: unknown) => ProviderMessage | null,
): { firstMs: number; words: ProviderToken[]; text: string } {
  const hasWords = (body: unknown) => {
    const message = parse(body);
    return message?.type === "progress" && message.tokens.some((one) => !isMark(one));
  };
  const words = stream.answers
    .map(({ body }) => parse(body))
    .flatMap((message) => (message?.type === "progress" ? message.tokens : []))
    .filter((token) => token.isFinal && !isMark(token) && isSaid(token));
  const text = words.map((token) => token.text).join("");
  return { firstMs: stream.answers.find(({ body }) => hasWords(body))?.atMs ?? -1, words, text };
}

/**
 * What must be true of translations in the stream, as our rule needs it (`translation-alignment.ts`), and how long they
 * take.
 */
export function readTranslationFacts(
  stream: Stream,
  parse: (body: unknown) => ProviderMessage | null,
): { facts: Exchange["facts"]; times: Exchange["times"] } {
  let heardMs = 0;
  let waitedMs = 0;
  let hasMark = false;
  let isAfterMark = false;
  let spoken = 0;
  let hasRunAhead = false;
  const translated: ProviderToken[] = [];
  const words: ProviderToken[] = [];
  for (const { body, atMs } of stream.answers) {
    const message = parse(body);
    if (message?.type !== "progress") continue;
    for (const token of message.tokens.filter(({ isFinal }) => isFinal)) {
      if (token.text === "<fin>") hasMark = true;
      if (isMark(token)) continue;
      if (isSaid(token)) {
        words.push(token);
        if (spoken === 0) heardMs = atMs;
        spoken += 1;
        continue;
      }
      hasRunAhead ||= words.length === 0;
      isAfterMark ||= hasMark;
      if (spoken > 0) waitedMs = Math.max(waitedMs, atMs - heardMs);
      spoken = 0;
      translated.push(token);
    }
  }
  return {
    facts: {
      "words are translated": translated.length > 0,
      "translations have no times": translated.every(({ startMs }) => startMs === null),
      "translations say the language of the words": translated.every(
        ({ sourceLanguage }) => sourceLanguage !== undefined,
      ),
      "words say that they are translated": words.every(
        ({ translation }) => translation === "original",
      ),
      "translations follow their words": !hasRunAhead,
      "translations come after the end of a finalize": isAfterMark,
    },
    times: { "longest time from words to their translation, ms": waitedMs },
  };
}
