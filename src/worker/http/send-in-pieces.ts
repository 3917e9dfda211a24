export const pieceBytes = 64 * 1024;

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
