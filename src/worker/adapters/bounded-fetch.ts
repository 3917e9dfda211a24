import { AppError } from "#shared/errors.ts";

interface MaxBytes {
  /** Of an answer that is read as a whole. */
  whole: number;
  /** Of a stream of server-sent events. */
  stream: number;
}

/** `fetch` whose answer fails with `llm_failed` once it is longer than `max`: nothing beyond it is read. */
export function createBoundedFetch(max: MaxBytes): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // What comes out of `fetch` is decoded already.
    headers.delete("content-encoding");
    headers.delete("content-length");
    const body = response.body.pipeThrough(createByteLimit(isStream ? max.stream : max.whole));
    return new Response(body, { status, statusText, headers });
  };
}

function createByteLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes)
        controller.error(new AppError("llm_failed", { detail: "an answer without end" }));
      else controller.enqueue(chunk);
    },
  });
}
