import { initTRPC, type TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { AppError, getHttpStatus } from "#shared/errors.ts";
import { streamPingMs } from "#shared/limits.ts";
import type { Context } from "./context.ts";
import { getMessageKey, toAppError, toLogFields } from "./errors.ts";
import { countWrites } from "./write-limit.ts";

/** tRPC's name for each HTTP status that the vocabulary uses in a procedure. */
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

/** What a caller reads of a failure: nothing of the inside. */
function toErrorShape(error: AppError, trpcCode: TRPC_ERROR_CODE_KEY, messageKey?: string) {
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
      /** Message key of the first rule of a form that was broken. */
      ...(messageKey === undefined ? {} : { messageKey }),
    },
  };
}

const toTrpcCode = (error: AppError): TRPC_ERROR_CODE_KEY =>
  trpcCodes[getHttpStatus(error.code)] ?? "INTERNAL_SERVER_ERROR";

/** A refusal before any procedure was reached, in the form in which tRPC's client reads errors. */
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
    // A stack in an answer is for nobody; faults are read in the log.
    isDev: false,
    // Subscriptions over HTTP are not offered.
    sse: { enabled: false },
    jsonl: { pingMs: streamPingMs },
    errorFormatter({ shape, error }) {
      const { code, retryAfterSeconds } = toAppError(error);
      const messageKey = getMessageKey(error);
      return {
        code: shape.code,
        message: code,
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          /** A code of `src/shared/errors.ts`. */
          appCode: code,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
          /** Message key of the first rule of a form that was broken. */
          ...(messageKey === undefined ? {} : { messageKey }),
        },
      };
    },
  });

/** Gives every failure a code of the vocabulary, and the log what nobody outside may read. */
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
  return isStream(result.data)
    ? { ...result, data: mapStreamErrors(result.data, toTrpcError) }
    : result;
});

const isStream = (data: unknown): data is AsyncIterable<unknown> =>
  typeof data === "object" && data !== null && Symbol.asyncIterator in data;

/** A stream that fails in its middle fails as a procedure does. */
async function* mapStreamErrors(
  stream: AsyncIterable<unknown>,
  refusalOf: (failure: Error) => TRPCError,
) {
  try {
    yield* stream;
  } catch (failure) {
    throw refusalOf(failure instanceof Error ? failure : new Error("no error was thrown"));
  }
}

const base = t.procedure.use(mapErrors);

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** For everybody, signed in or not. */
export const publicProcedure = base.meta({ access: "public" });

/** For a signed-in user or a guest with a valid ticket: `ctx.session` or `ctx.guest` says which. */
export const guestProcedure = base.meta({ access: "guest" }).use(({ ctx, next }) => {
  if (!ctx.session && !ctx.guest) throw new AppError("unauthenticated");
  return next();
});

/** For a signed-in user: `ctx.user` and `ctx.session` are theirs. */
export const userProcedure = base.meta({ access: "user" }).use(({ ctx, next }) => {
  if (!ctx.session) throw new AppError(ctx.guest ? "sign_in_required" : "unauthenticated");
  return next({ ctx: { session: ctx.session, user: ctx.session.user } });
});

/** For a signed-in user who changes what is stored: counted, so that nobody writes without end. */
export const writeProcedure = userProcedure.use(async ({ ctx, next }) => {
  await countWrites(ctx);
  return next();
});

/** For whoever came by a recovery link: `ctx.recovery` is theirs. A session is no substitute. */
export const recoveryProcedure = base.meta({ access: "recovery" }).use(({ ctx, next }) => {
  if (!ctx.recovery) throw new AppError("token_invalid");
  return next({ ctx: { recovery: ctx.recovery } });
});
