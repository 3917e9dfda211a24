import { initTRPC, type TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { AppError, getHttpStatus } from "#shared/errors.ts";
import { streamPingMs } from "#shared/limits.ts";
import type { Context, Limits } from "./context.ts";
import { getMessageKey, listInputIssues, toAppError, toLogFields } from "./errors.ts";
import { endWithToken } from "./programs/end-with-token.ts";
import { isPersonalTokenLive } from "./programs/personal-tokens.ts";
import { getNeededScope } from "./programs/token-access.ts";

/** tRPC's error code for each HTTP status of our error codes. */
const trpcCodes: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
};

/** The public part of an error. `failure`: that of a procedure, which may say more of an input. */
function toErrorShape(error: AppError, trpcCode: TRPC_ERROR_CODE_KEY, failure?: TRPCError) {
  const messageKey = failure && getMessageKey(failure);
  const issues = failure && listInputIssues(failure);
  return {
    code: TRPC_ERROR_CODES_BY_KEY[trpcCode],
    message: error.code,
    data: {
      code: trpcCode,
      httpStatus: getHTTPStatusCodeFromError(new TRPCError({ code: trpcCode })),
      /** A code of `src/shared/errors.ts`. */
      appCode: error.code,
      ...(error.retryAfterSeconds === undefined
        ? {}
        : { retryAfterSeconds: error.retryAfterSeconds }),
      /** Message key of the first broken validation rule. */
      ...(messageKey === undefined ? {} : { messageKey }),
      /** The broken rules, for programs. */
      ...(issues === undefined ? {} : { issues }),
    },
  };
}

const toTrpcCode = (error: AppError): TRPC_ERROR_CODE_KEY =>
  trpcCodes[getHttpStatus(error.code)] ?? "INTERNAL_SERVER_ERROR";

/** An error before any procedure was called, in the format of tRPC's client. */
export function toErrorEnvelope(error: AppError) {
  return { error: toErrorShape(error, toTrpcCode(error)) };
}

export interface ProcedureMeta {
  /** Who may call the procedure; every procedure has one. */
  access: "public" | "guest" | "user" | "recovery";
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    // Stacks are logged, never sent.
    isDev: false,
    // No SSE subscriptions.
    sse: { enabled: false },
    jsonl: { pingMs: streamPingMs },
    errorFormatter: ({ error }) => toErrorShape(toAppError(error), error.code, error),
  });

/** Converts every error to an app error code, and logs the internal detail. */
const mapErrors = t.middleware(async ({ ctx, next, path, type, signal }) => {
  const toTrpcError = (failure: Error): TRPCError => {
    const error = toAppError(failure);
    const line = { requestId: ctx.requestId, procedure: path, code: error.code };
    if (getHttpStatus(error.code) >= 500 && !signal?.aborted)
      ctx.logger.error("procedure_failed", {
        ...toLogFields(failure.cause ?? failure),
        ...line,
        type,
      });
    else ctx.logger.info("procedure_refused", line);
    return new TRPCError({
      code: toTrpcCode(error),
      message: error.code,
      // Validation keeps its own cause: the formatter reads the broken rule from it.
      cause: error.code === "validation_failed" ? failure.cause : error,
    });
  };
  const result = await next();
  if (!result.ok) throw toTrpcError(result.error);
  return { ...result, data: mapLaterErrors(result.data, toTrpcError) };
});

/** Maps errors of a stream, and of values that follow an answer, like those of a procedure. */
function mapLaterErrors(data: unknown, toTrpcError: (failure: Error) => TRPCError): unknown {
  if (isStream(data)) return mapStreamErrors(data, toTrpcError);
  if (!hasPromise(data)) return data;
  const refuse = (failure: unknown) => {
    throw toTrpcError(toError(failure));
  };
  const values = Object.entries(data).map(([name, value]) => {
    if (!(value instanceof Promise)) return [name, value];
    const later = value.catch(refuse);
    // Nobody waits for it where the caller takes no stream.
    later.catch(() => {});
    return [name, later];
  });
  return Object.fromEntries(values);
}

const hasPromise = (data: unknown): data is Record<string, unknown> =>
  typeof data === "object" &&
  data !== null &&
  Object.values(data).some((value) => value instanceof Promise);

const isStream = (data: unknown): data is AsyncIterable<unknown> =>
  typeof data === "object" && data !== null && Symbol.asyncIterator in data;

/** Maps errors inside a stream like those of a procedure. */
async function* mapStreamErrors(
  stream: AsyncIterable<unknown>,
  toTrpcError: (failure: Error) => TRPCError,
) {
  try {
    yield* stream;
  } catch (failure) {
    throw toTrpcError(toError(failure));
  }
}

const toError = (failure: unknown): Error =>
  failure instanceof Error ? failure : new Error("no error was thrown");

/** Counts and limits the calls of a personal token, and ends a stream with it. */
const limitToken = t.middleware(async ({ ctx, next, path, type }) => {
  const { token, session, db, clock, limits } = ctx;
  if (!token || !session) return next();
  if (!(await limits.programs.allow(`user:${session.user.id}`)))
    throw new AppError("rate_limited", { retryAfterSeconds: 60 });
  const needed = getNeededScope(path, type);
  if (needed === null) throw new AppError("sign_in_required");
  if (needed === "write" && token.scope === "read") throw new AppError("scope_required");
  const result = await next();
  if (!result.ok || !isStream(result.data)) return result;
  const isLive = () => isPersonalTokenLive(db, token.id, clock.now());
  return { ...result, data: endWithToken(result.data, isLive) };
});

/**
 * What every procedure is built of. A new one goes into `src/server/<noun>/router.ts`, which app-router.ts lists, begins
 * with one of the procedures below, which say who may call it, and calls a query with the user's id in its WHERE clause.
 *
 * @example
 * export const bookmarksRouter = router({
 *   rename: writeProcedure
 *     .input(z.object({ id: uuid, name: storedText(bookmarkNameMaxLength) }))
 *     .mutation(({ ctx, input }) => renameBookmark(ctx.db, { ...input, ...ctx.caller })),
 * });
 */
const base = t.procedure.use(mapErrors).use(limitToken);

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** For every caller, signed in or not. */
export const publicProcedure = base.meta({ access: "public" });

/** For a signed-in user or a guest with a valid ticket: `ctx.session` or `ctx.guest` says which. */
export const guestProcedure = base.meta({ access: "guest" }).use(({ ctx, next }) => {
  if (!ctx.session && !ctx.guest) throw new AppError("unauthenticated");
  return next();
});

/** For a signed-in user: `ctx.user` and `ctx.session` are theirs; `ctx.caller` is what most queries need. */
export const userProcedure = base.meta({ access: "user" }).use(({ ctx, next }) => {
  if (!ctx.session) throw new AppError(ctx.guest ? "sign_in_required" : "unauthenticated");
  const { session, clock } = ctx;
  const caller = { userId: session.user.id, now: clock.now() };
  return next({ ctx: { session, user: session.user, caller } });
});

/** Text length in UTF-16 units that counts as one write; longer text counts as several. */
const writeLength = 128 * 1024;

/**
 * Counts writes of the user in the current minute.
 *
 * @param length of the text that is written, in UTF-16 units.
 * @throws AppError `rate_limited`
 */
export async function countWrites(
  {
    limits,
    user,
    token,
  }: Pick<Context, "token"> & {
    limits: Pick<Limits, "writes">;
    user: { id: string };
  },
  length = 0,
): Promise<void> {
  const units = Math.max(1, Math.ceil(length / writeLength));
  // A program must not use up the writes of a page that records.
  const key = `${token ? "programs" : "user"}:${user.id}`;
  const calls = Array.from({ length: units }, () => limits.writes.allow(key));
  const allowed = await Promise.all(calls);
  if (allowed.includes(false)) throw new AppError("rate_limited", { retryAfterSeconds: 20 });
}

/** For a signed-in user's writes, which are rate-limited. */
export const writeProcedure = userProcedure.use(async ({ ctx, next }) => {
  await countWrites(ctx);
  return next();
});

/** For callers with a recovery session (`ctx.recovery`). A full session is not accepted. */
export const recoveryProcedure = base.meta({ access: "recovery" }).use(({ ctx, next }) => {
  if (!ctx.recovery) throw new AppError("token_invalid");
  return next({ ctx: { recovery: ctx.recovery } });
});
