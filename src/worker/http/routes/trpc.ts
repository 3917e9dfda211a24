import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { selectRouter } from "#server/app-router.ts";
import { AnswerBudget } from "#server/context.ts";
import { toAppError } from "#server/errors.ts";
import { AppError } from "#shared/errors.ts";
import { createContext } from "#worker/http/context.ts";
import { limitBody, paceCalls } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { endUnreadAnswers, streamType } from "#worker/http/middleware/unread-answers.ts";

const endpoint = "/trpc";
/** The largest honest bodies are 500 entries of a few sentences each, and the text of a long lecture to be summarised. */
const bodyMaxBytes = 4 * 1024 * 1024;
/** Most calls in one request. */
const batchMax = 10;

/** The procedures over HTTP: JSON alone, at most ten calls a request. */
export const trpc = new Hono<AppEnv>();

trpc.use("*", async (c, next) => {
  try {
    decodeURIComponent(new URL(c.req.url).pathname);
  } catch (cause) {
    // tRPC would report a malformed escape as an internal error.
    throw new AppError("validation_failed", { detail: "escape in the path", cause });
  }
  await next();
});

trpc.use("*", paceCalls(batchMax));

trpc.post("*", async (c, next) => {
  const mediaType = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  // Other types need no CORS preflight, and tRPC would treat a form as a call without input.
  if (mediaType !== "application/json") throw new AppError("unsupported_media_type");
  await next();
});

trpc.post("*", limitBody(bodyMaxBytes));

trpc.use("*", endUnreadAnswers);

trpc.all("*", async (c) => {
  const { env } = c.get("services");
  const response = await fetchRequestHandler({
    endpoint,
    req: c.req.raw,
    router: selectRouter(env.billing.mode),
    maxBatchSize: batchMax,
    createContext: ({ resHeaders }) =>
      createContext(c, { answerBudget: new AnswerBudget(), responseHeaders: resHeaders }),
    responseMeta: ({ errors }) => describeWait(errors),
  });
  const { headers } = response;
  if (headers.get("transfer-encoding") === "chunked") {
    // Compression would buffer a streamed response. Cloudflare compresses `application/json`, but not
    // `application/jsonl`.
    headers.set("content-type", streamType);
    headers.set("cache-control", "no-store, no-transform");
  }
  return response;
});

/** The longest time for which an error says to wait, for programs that know HTTP alone. */
function describeWait(errors: readonly TRPCError[]): { headers?: Headers } {
  const seconds = Math.max(0, ...errors.map((error) => toAppError(error).retryAfterSeconds ?? 0));
  return seconds === 0
    ? {}
    : { headers: new Headers({ "retry-after": String(Math.ceil(seconds)) }) };
}
