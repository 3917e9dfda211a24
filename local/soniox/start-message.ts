import { z } from "zod";
import { spokenLanguages } from "#shared/languages.ts";

const models = ["stt-rt-v5", "stt-rt-v4", "stt-rt-preview"] as const;
const contextMax = 10_000;

const context = z
  .object({
    general: z.array(z.object({ key: z.string(), value: z.string() })).optional(),
    text: z.string().optional(),
    terms: z.array(z.string()).optional(),
    translation_terms: z.array(z.object({ source: z.string(), target: z.string() })).optional(),
  })
  .refine((value) => JSON.stringify(value).length <= contextMax, "context is too long");

/** Raw audio. */
const pcm = z.object({
  audio_format: z.literal("pcm_s16le"),
  sample_rate: z.int({ error: "sample_rate is required for raw audio" }).min(8_000).max(48_000),
  num_channels: z.int({ error: "num_channels is required for raw audio" }).min(1).max(2),
});
/** A container, which the service recognises by its first bytes. */
const container = z.object({ audio_format: z.literal("auto") });
const audio = z.discriminatedUnion("audio_format", [pcm, container], {
  error: (issue) =>
    issue.code === "invalid_union" ? "audio_format must be pcm_s16le or auto" : undefined,
});

const translation = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("one_way"), target_language: z.enum(spokenLanguages) }),
    z.object({
      type: z.literal("two_way"),
      language_a: z.enum(spokenLanguages),
      language_b: z.enum(spokenLanguages),
    }),
  ],
  { error: "translation must be one_way or two_way, with languages that are supported" },
);

const options = z
  .object({
    api_key: z.string().optional(),
    model: z.enum(models, { error: "model is not supported" }),
    language_hints: z.array(z.enum(spokenLanguages)).optional(),
    language_hints_strict: z.boolean().optional(),
    enable_language_identification: z.boolean().optional(),
    enable_speaker_diarization: z.boolean().optional(),
    enable_endpoint_detection: z.boolean().optional(),
    max_endpoint_delay_ms: z.int().min(500).max(3_000).default(2_000),
    endpoint_sensitivity: z.number().min(-1).max(1).optional(),
    client_reference_id: z.string().max(256).optional(),
    context: z.union([context, z.string().max(contextMax)]).optional(),
    translation: translation.optional(),
  })
  .strip();

/**
 * The first text frame of a session. The stand-in accepts raw PCM and Ogg Opus; it
 * rejects other options the way the service rejects unknown values. Its sentences end the same with any
 * `endpoint_sensitivity`.
 */
const startMessage = options.and(audio);

/** A valid start message without its key. */
export type StartMessage = Omit<z.infer<typeof options>, "api_key"> & z.infer<typeof audio>;

/** Any key is valid, except the empty one and keys that begin with `bad`. */
export const isValidKey = (key: string) => key !== "" && !key.startsWith("bad");

/**
 * Checks the start message and its key.
 *
 * @param bearer the key of the `Authorization` header, or null.
 * @param acceptsKeyInStart as the service does until 15 January 2027
 */
export function parseStart(
  message: unknown,
  { bearer, acceptsKeyInStart }: { bearer: string | null; acceptsKeyInStart: boolean },
): { start: StartMessage } | { error: 400 | 401; message?: string; type?: string } {
  const messageKey = z.object({ api_key: z.string() }).safeParse(message).data?.api_key;
  if (bearer !== null && messageKey !== undefined)
    return { error: 400, message: "API key given both in the header and in the start request" };
  if (!isValidKey(bearer ?? (acceptsKeyInStart ? (messageKey ?? "") : ""))) return { error: 401 };
  const parsed = startMessage.safeParse(message);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const isModel = issue?.path[0] === "model";
    return {
      error: 400,
      message: issue?.message ?? "Invalid start request",
      ...(isModel && { type: "model_not_available" }),
    };
  }
  const { api_key: _, ...start } = parsed.data;
  return { start };
}

/** Text frames after the first, except the empty frame, which ends the session and is not JSON. */
export const controlMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("keepalive") }),
  z.object({
    type: z.literal("finalize"),
    trailing_silence_ms: z.int().nonnegative().optional(),
  }),
]);
