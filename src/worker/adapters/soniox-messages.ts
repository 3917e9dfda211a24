import type {
  ProviderMessage,
  ProviderStart,
  ProviderToken,
  StreamTranslation,
} from "#server/recording/room/events.ts";
import { isSpokenLanguage } from "#shared/languages.ts";

/** The messages of Soniox's live transcription. */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Converts a message of the service to one for the room; null if it is invalid. The service may add fields. Checked by
 * hand, because a recording gets several messages a second, and a schema took as long as the rest of their way.
 */
export function parseSonioxMessage(answer: unknown): ProviderMessage | null {
  if (!isObject(answer)) return null;
  // A field without a value may be null.
  if ((answer.error_code ?? answer.error_type ?? null) !== null) return parseError(answer);
  const { tokens: given = [], final_audio_proc_ms: finalMs = 0 } = answer;
  const { total_audio_proc_ms: processedMs = 0 } = answer;
  if (!Array.isArray(given) || typeof finalMs !== "number" || typeof processedMs !== "number")
    return null;
  const tokens = given.map(parseToken).filter((token) => token !== null);
  return tokens.length < given.length ? null : { type: "progress", tokens, finalMs, processedMs };
}

/** The service promises to keep these names, and not its numbers and texts. */
const statusByErrorType = new Map<unknown, number>([
  ["invalid_request", 400],
  ["unauthenticated", 401],
  ["balance_exhausted", 402],
  ["request_timeout", 408],
  ["max_duration_reached", 413],
  ["limit_exceeded", 429],
  ["internal_error", 500],
  ["service_unavailable", 503],
]);

function parseError(fields: Fields): ProviderMessage | null {
  const { error_type: errorType, error_message: detail = "", request_id: requestId } = fields;
  const code = statusByErrorType.get(errorType) ?? Number(fields.error_code);
  if (Number.isNaN(code) || typeof detail !== "string") return null;
  return {
    type: "error",
    code,
    errorType: typeof errorType === "string" ? errorType : null,
    requestId: typeof requestId === "string" ? requestId : null,
    limit: code === 429 ? parseLimit(detail) : null,
    detail,
  };
}

/** `limit_exceeded` is the name for both limits; only the text differs. */
function parseLimit(detail: string): "requests" | "sessions" | null {
  if (/concurren/i.test(detail)) return "sessions";
  return /per minute|rate/i.test(detail) ? "requests" : null;
}

function parseToken(token: unknown): ProviderToken | null {
  if (!isObject(token)) return null;
  const { text, is_final: isFinal = false, start_ms, end_ms, speaker, language } = token;
  const { translation_status: translation, source_language: sourceLanguage } = token;
  if (typeof text !== "string" || typeof isFinal !== "boolean") return null;
  return {
    text,
    isFinal,
    startMs: parseTime(start_ms),
    endMs: parseTime(end_ms),
    speaker: typeof speaker === "string" || typeof speaker === "number" ? String(speaker) : null,
    ...(isSpokenLanguage(language) && { language }),
    ...((translation === "original" || translation === "translation") && { translation }),
    ...(isSpokenLanguage(sourceLanguage) && { sourceLanguage }),
  };
}

/** Null for a time that makes no sense: the token counts all the same. */
const parseTime = (value: unknown) => (typeof value === "number" && value >= 0 ? value : null);

const model = "stt-rt-v5";

/** Characters of a `context` in JSON. The service refuses longer ones. */
const contextMax = 10_000;

/**
 * What the service is told about a lecture; undefined: nothing. Translations, and then terms, are left out from the end
 * where all do not fit.
 *
 * Source: https://soniox.com/docs/stt/concepts/context
 */
function toSonioxContext({
  topic,
  context: text,
  terms,
}: Pick<ProviderStart, "topic" | "context" | "terms">) {
  const names = terms.map(({ term }) => term);
  const pairs = terms.flatMap(({ term: source, translation: target }) =>
    target === undefined ? [] : [{ source, target }],
  );
  const create = () => ({
    ...(topic === "" ? {} : { general: [{ key: "topic", value: topic }] }),
    ...(text === "" ? {} : { text }),
    ...(names.length === 0 ? {} : { terms: names }),
    ...(pairs.length === 0 ? {} : { translation_terms: pairs }),
  });
  while (
    JSON.stringify(create()).length > contextMax &&
    (pairs.pop() ?? names.pop()) !== undefined
  );
  const context = create();
  return Object.keys(context).length === 0 ? undefined : context;
}

/** Source: https://soniox.com/docs/stt/rt/real-time-translation */
function toSonioxTranslation(translation: StreamTranslation) {
  if (translation.type === "one_way")
    return { type: "one_way", target_language: translation.target };
  const [language_a, language_b] = translation.languages;
  return { type: "two_way", language_a, language_b };
}

/**
 * The first message of a stream. Hints alone do not restrict: with them, what is said in a third language is still
 * written in it. English, the default, stays unrestricted. The key is no part of it: the service takes it from the header
 * of the connection only, from 15 January 2027 on.
 *
 * Source: https://soniox.com/docs/stt/concepts/language-restrictions
 */
export function toSonioxStart(
  { codec, languages, translation, ...start }: ProviderStart,
  endpointSensitivity: number | null = null,
) {
  const context = toSonioxContext(start);
  return {
    model,
    ...(codec === "opus"
      ? { audio_format: "auto" }
      : { audio_format: codec, sample_rate: start.sampleRate, num_channels: 1 }),
    ...(languages.length > 0 && {
      language_hints: languages,
      ...(languages.join() !== "en" && { language_hints_strict: true }),
    }),
    ...(languages.length !== 1 && { enable_language_identification: true }),
    enable_speaker_diarization: start.diarization,
    enable_endpoint_detection: true,
    max_endpoint_delay_ms: start.endpointDelayMs,
    ...(endpointSensitivity !== null && { endpoint_sensitivity: endpointSensitivity }),
    client_reference_id: start.recordingId,
    ...(context && { context }),
    ...(translation && { translation: toSonioxTranslation(translation) }),
  };
}
