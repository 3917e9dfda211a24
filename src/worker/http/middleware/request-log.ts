import { createMiddleware } from "hono/factory";
import { AppError } from "#shared/errors.ts";
import { sendBehindAnswer } from "#worker/metrics.ts";
import { consoleLogger } from "#worker/services.ts";
import type { AppEnv } from "./identity.ts";
import { streamType } from "./unread-answers.ts";

const pathMax = 200;

/**
 * Assigns the request id and logs one line per response, with the time until an answer that is written while it is sent
 * has ended. The query is not logged, because it contains inputs and tickets.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = crypto.randomUUID();
  c.set("requestId", requestId);
  const start = performance.now();
  await next();
  const { res } = c;
  const logRequest = () => {
    consoleLogger.info("request", {
      requestId,
      method: c.req.method,
      path: c.req.path.slice(0, pathMax),
      status: res.status,
      ms: Math.round(performance.now() - start),
      ...(c.error instanceof AppError ? { code: c.error.code } : {}),
    });
    sendBehindAnswer();
  };
  if (res.body === null || res.headers.get("content-type") !== streamType) {
    logRequest();
    return;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void res.body.pipeTo(writable).then(logRequest, logRequest);
  c.res = new Response(readable, res);
});
