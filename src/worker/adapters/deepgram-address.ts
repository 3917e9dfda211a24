import type { ProviderStart } from "#server/recording/room/events.ts";

/**
 * The address of a stream of Deepgram, or of a server with its protocol. `npm start` opens such streams too, to look
 * for a server.
 *
 * Source: https://developers.deepgram.com/reference/speech-to-text/listen-streaming
 */

type StreamSettings = Pick<
  ProviderStart,
  "codec" | "sampleRate" | "diarization" | "languages" | "context" | "terms"
>;

/** A pause of this length ends an utterance. */
const endpointMs = 500;
/**
 * Keyterms may have 500 tokens in all; more are refused with 400. The service does not say how it counts, so each byte
 * counts as one token, and one more separates two terms.
 */
const keytermTokensMax = 500;
const keytermsMax = 40;
const keytermMaxLength = 50;
/** Models that accept keyterms and hints of languages; others refuse a stream that has some. */
const promptModels = /^nova-3/;

/**
 * The address of a stream with the settings of `start`.
 *
 * @param server `url`: `ws:` or `wss:`, with its path.
 */
export function toDeepgramUrl(
  { url, model }: { url: string; model: string },
  start: StreamSettings,
): string {
  const address = new URL(url);
  const { languages } = start;
  const onlyLanguage = languages.length === 1 ? languages[0] : undefined;
  const parameters = {
    model,
    language: onlyLanguage ?? "multi",
    // The service recognises a container by itself, but only without these.
    ...(start.codec === "pcm_s16le" && {
      encoding: "linear16",
      sample_rate: start.sampleRate,
      channels: 1,
    }),
    interim_results: true,
    punctuate: true,
    smart_format: true,
    diarize: start.diarization,
    endpointing: endpointMs,
  };
  for (const [name, value] of Object.entries(parameters))
    address.searchParams.set(name, String(value));
  if (!promptModels.test(model)) return address.href;
  if (onlyLanguage === undefined)
    for (const language of languages) address.searchParams.append("language_hint", language);
  for (const term of listKeyterms(start)) address.searchParams.append("keyterm", term);
  return address.href;
}

/** Whether a model accepts keyterms. */
export const hasKeyterms = (model: string): boolean => promptModels.test(model);

/**
 * The lecture's terms, then the first short phrases of its context, in any script: "Thermodynamics, entropy, Carnot". More
 * than the limit must never be sent: in an open stream it ends the transcription.
 */
export function listKeyterms({
  terms,
  context,
}: Pick<ProviderStart, "terms" | "context">): string[] {
  const phrases = [...terms.map(({ term }) => term), ...context.split(/[,;\n、，；،؛]/u)]
    .map((term) => term.trim())
    .filter((term) => term !== "" && term.length <= keytermMaxLength);
  let tokens = 0;
  return [...new Set(phrases)].slice(0, keytermsMax).filter((term) => {
    const added = new TextEncoder().encode(term).length + 1;
    if (tokens + added > keytermTokensMax) return false;
    tokens += added;
    return true;
  });
}
