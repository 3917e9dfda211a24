import { AppError } from "#shared/errors.ts";

interface MaxBytes {
  /** Limit for a complete response. */
  whole: number;
  /** Limit for a stream of server-sent events. */
  stream: number;
}

/** The longest pause that a server may ask for before the library tries again. */
const pauseMaxSeconds = 5;

/** A `fetch` whose response fails with `llm_failed` once it is longer than `max`. A refusal for long is not tried again. */
export function createBoundedFetch(max: MaxBytes): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // `fetch` has already decoded the body.
    headers.delete("content-encoding");
    headers.delete("content-length");
    // The library obeys it. It would wait beyond the time for an answer, so that the caller learns of no limit.
    if (status === 429 && Number(headers.get("retry-after")) > pauseMaxSeconds)
      headers.set("x-should-retry", "false");
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
