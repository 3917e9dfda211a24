import { createMiddleware } from "hono/factory";
import { pieceBytes, sendInPieces } from "#worker/http/send-in-pieces.ts";
import type { AppEnv } from "./identity.ts";

/** Of answers that are written while they are sent. */
export const streamType = "application/jsonl";
/** The caller takes a piece in this time, or gets no more. */
const pieceTimeoutMs = 20_000;

/**
 * The runtime keeps an answer in memory until its caller has read it, or until the connection ends. An answer is sent in
 * pieces as they are read, and ends when its caller reads nothing for a while; so does the call of the model behind it.
 */
export const endUnreadAnswers = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { res } = c;
  if (res.body === null) return;
  if (res.headers.get("content-type") === streamType) {
    c.res = new Response(sendInPieces(res.body, pieceTimeoutMs), res);
    return;
  }
  const whole = await res.arrayBuffer();
  const { body } = new Response(whole);
  // A short answer leaves the runtime at once: the connection's own buffer takes it.
  const isShort = whole.byteLength <= pieceBytes || body === null;
  c.res = new Response(isShort ? whole : sendInPieces(body, pieceTimeoutMs), res);
});
