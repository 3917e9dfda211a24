import { createMcpHandler } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { AnswerBudget } from "#server/context.ts";
import { AppError } from "#shared/errors.ts";
import { createContext } from "#worker/http/context.ts";
import { createMcpServer } from "#worker/http/mcp/tools.ts";
import { limitBody, paceCalls } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";

const bodyMaxBytes = 64 * 1024;
/** Text of one answer, in bytes; no less than the smallest page of a lecture. */
const answerBytes = 64 * 1024;

/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, read only, for personal tokens. It keeps no state: each request
 * has a server of its own, and there are no subscriptions, which would outlive a token.
 */
export const mcp = new Hono<AppEnv>();

mcp.use("*", async (c, next) => {
  const { env } = c.get("services");
  const origin = c.req.header("origin");
  // The protocol's rule against DNS rebinding, also beside a token.
  if (origin !== undefined && origin !== (env.appOrigin ?? new URL(c.req.url).origin))
    throw new AppError("origin_refused");
  if (!c.get("program")) throw new AppError("unauthenticated");
  await next();
});
mcp.use("*", paceCalls(1), limitBody(bodyMaxBytes));

mcp.all("/", (c) => {
  const answerBudget = new AnswerBudget(answerBytes);
  const context = createContext(c, { answerBudget, responseHeaders: new Headers() });
  const { logger, requestId } = context;
  const handler = createMcpHandler(() => createMcpServer(context), {
    responseMode: "json",
    maxSubscriptions: 0,
    maxRequestBodySize: bodyMaxBytes,
    onerror: ({ name }) => logger.info("mcp_refused", { requestId, error: name }),
  });
  return handler.fetch(c.req.raw);
});
