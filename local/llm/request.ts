import * as z from "zod";

// The fields of a Chat Completions request that the stand-in reads. It ignores other fields.

const content = z
  .union([z.string(), z.array(z.object({ type: z.literal("text"), text: z.string() })).min(1)])
  .transform((value) =>
    typeof value === "string" ? value : value.map(({ text }) => text).join(""),
  );

const message = z.object({
  role: z.enum(["developer", "system", "user", "assistant"]),
  content,
});

const tokens = z.nullish(z.int().min(1));

export const completionRequest = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.object({ include_usage: z.optional(z.boolean()) })),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  temperature: z.nullish(z.number().min(0).max(2)),
  n: z.nullish(z.literal(1)),
  response_format: z.nullish(
    z.object({
      type: z.string(),
      json_schema: z.optional(
        z.object({ schema: z.object({ required: z.optional(z.array(z.string())) }) }),
      ),
    }),
  ),
});
export type CompletionRequest = z.infer<typeof completionRequest>;

/** An error in OpenAI's format. */
export interface ApiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

/** Reports the first issue with the path of its field, for example `messages[0].content`. */
export function toApiError(error: z.ZodError): ApiError {
  const issue = error.issues[0];
  const param = z.core.toDotPath(issue?.path ?? []);
  return {
    message: `Invalid value for '${param}': ${issue?.message ?? "unknown"}`,
    type: "invalid_request_error",
    param: param === "" ? null : param,
    code: null,
  };
}
