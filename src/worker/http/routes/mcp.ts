import { createMcpHandler, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { AnswerBudget } from "#server/context.ts";
import { AppError } from "#shared/errors.ts";
import { createContext } from "#worker/http/context.ts";
import { createMcpServer } from "#worker/http/mcp/tools.ts";
import { limitBody, paceCalls, toProgramsKey } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { endUnreadAnswers } from "#worker/http/middleware/unread-answers.ts";

const bodyMaxBytes = 64 * 1024;
/** Text of one answer, in bytes; no less than the smallest page of a lecture. */
const answerBytes = 64 * 1024;
/** The first version without batches. A client of an earlier one does not name its version. */
const versionWithoutBatches = "2025-06-18";
const batchMax = 10;
/** Of all answers to a batch together. One answer is never refused for its length. */
const batchAnswerMaxBytes = 256 * 1024;

/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, read only, for personal tokens. It keeps no state: each request
 * has a server of its own, and there are no subscriptions, which would outlive a token.
 */
export const mcp = new Hono<AppEnv>();

mcp.use("/", async (c, next) => {
  const { env } = c.get("services");
  const program = c.get("program");
  if (!program) throw new AppError("unauthenticated");
  const origin = c.req.header("origin");
  const own = env.appOrigin ?? new URL(c.req.url).origin;
  // The protocol's rule against DNS rebinding, also beside a token. One of OAuth works on the pages of its program.
  if (origin !== undefined && origin !== own && origin !== program.clientOrigin)
    throw new AppError("origin_refused");
  await next();
});
mcp.use("/", paceCalls(1), limitBody(bodyMaxBytes), endUnreadAnswers);

mcp.post("/", async (c, next) => {
  const messages = parseBatch(await c.req.raw.clone().text());
  if (messages === null) return next();
  const version = c.req.header("mcp-protocol-version");
  if (version !== undefined && version >= versionWithoutBatches)
    return refuseRequest(`Version ${versionWithoutBatches} has no batches: send one message.`);
  if (messages.length > batchMax) return refuseRequest(`A batch has at most ${batchMax} messages.`);
  const { accountCalls } = c.get("services");
  const userId = c.get("program")?.session.user.id;
  if (userId !== undefined) accountCalls.addCalls(toProgramsKey(userId), messages.length - 1);
  await next();
  const answer = await c.res.clone().arrayBuffer();
  if (answer.byteLength > batchAnswerMaxBytes)
    c.res = refuseRequest("The answers to this batch are too long: ask for less at once.");
});

function parseBatch(text: string): unknown[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An answer of JSON-RPC. */
function refuseRequest(message: string): Response {
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
}

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
