import type { ErrorCode } from "#shared/errors.ts";

/**
 * Whether it is about one answer of the language model, so that another call may succeed. Not beside the codes: first page
 * views have those, and need no model.
 */
export const isAnswerFailure = (code: ErrorCode): boolean =>
  code === "llm_failed" || code === "llm_unusable";
