import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./identity.ts";

/** Of answers that are written while they are sent. */
export const streamType = "application/jsonl";
/** A whole answer up to this length leaves the runtime at once: the connection's own buffer takes it. */
const pieceBytes = 64 * 1024;
/** The caller takes a piece in this time, or gets no more. */
const pieceTimeoutMs = 20_000;

/**
 * The runtime keeps an answer in memory until its caller has read it, or until the connection ends. An answer is sent in
 * pieces as they are read, and ends when its caller reads nothing for a while; so does the call of the model behind it.
 */
export const endUnreadAnswers = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { res } = c;
  if (res.headers.get("content-type") === streamType) {
    if (res.body) c.res = new Response(sendInPieces(res.body, pieceTimeoutMs), res);
    return;
  }
  const whole = await res.arrayBuffer();
  const { body } = new Response(whole);
  const isShort = whole.byteLength <= pieceBytes || body === null;
  c.res = new Response(isShort ? whole : sendInPieces(body, pieceTimeoutMs), res);
});

/** `body` in pieces of `pieceBytes` at most. It fails, and `body` is cancelled, `timeoutMs` after a piece that was not read. */
export function sendInPieces(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let rest: Uint8Array = new Uint8Array();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer);
        while (rest.byteLength === 0) {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          rest = value;
        }
        controller.enqueue(rest.subarray(0, pieceBytes));
        rest = rest.subarray(pieceBytes);
        timer = setTimeout(() => {
          const reason = new Error("the answer is not read");
          controller.error(reason);
          void reader.cancel(reason).catch(() => {});
        }, timeoutMs);
      },
      cancel(reason) {
        clearTimeout(timer);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
