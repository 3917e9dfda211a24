import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { LanguageModelConstructor } from "./built-in-ai.ts";
import { createBuiltInNow } from "./create-built-in.ts";

interface Request {
  system: string;
  user: string;
  /** BCP 47 tags of what the prompt and the answer are written in. */
  readsIn: readonly string[];
  writesIn: string;
  clock: Clock;
  /** A model that is not on the device yet may be downloaded: a few gigabytes. */
  mayDownload: boolean;
  signal: AbortSignal;
}

/**
 * Streams what the browser's language model answers.
 *
 * @throws NoBuiltInError for languages that it cannot read or write (Chrome has some only), ApiError
 *   `payload_too_large` for a prompt that it cannot read at once; another error when it needs a download that is not
 *   wanted, or fails
 */
export async function* promptInBrowser(
  factory: LanguageModelConstructor,
  { system, user, readsIn, writesIn, clock, mayDownload, signal }: Request,
): AsyncGenerator<string> {
  const model = await createBuiltInNow(
    factory,
    {
      expectedInputs: [{ type: "text" as const, languages: ["en", ...readsIn] }],
      expectedOutputs: [{ type: "text" as const, languages: [writesIn] }],
      initialPrompts: [{ role: "system" as const, content: system }],
    },
    clock,
    mayDownload,
  );
  try {
    signal.throwIfAborted();
    yield* model.promptStreaming(user, { signal });
  } catch (error) {
    if (error instanceof Error && error.name === "QuotaExceededError")
      throw new ApiError("payload_too_large", false);
    throw error;
  } finally {
    model.destroy();
  }
}
