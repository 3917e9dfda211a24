import { AppError } from "#shared/errors.ts";
import { namesWindow } from "./window-error.ts";

interface MaxBytes {
  /** Limit for a complete response. */
  whole: number;
  /** Limit for a stream of server-sent events. */
  stream: number;
}

/** The longest pause that a server may ask for before the library tries again. */
const pauseMaxSeconds = 5;

/** A `fetch` whose response fails with `llm_failed` once it is longer than `max`. What would fail again is not tried again. */
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
    const limited = response.body.pipeThrough(createByteLimit(isStream ? max.stream : max.whole));
    if (status === 500) {
      const text = await new Response(limited).text();
      if (namesWindow(text)) headers.set("x-should-retry", "false");
      return new Response(text, { status, statusText, headers });
    }
    const body = isStream ? limited.pipeThrough(createEventSplitter(max.whole)) : limited;
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

const [lineFeed, carriageReturn] = [10, 13];

/**
 * Passes each server-sent event on by itself, with the blank line at its end: the library copies all that it holds for each
 * chunk and for each event in a chunk. An event of more than `maxBytes` fails.
 */
function createEventSplitter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let event: Uint8Array[] = [];
  let bytes = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0;
      const take = (to: number) => {
        event.push(chunk.slice(from, to));
        bytes += to - from;
        from = to;
      };
      for (let index = 0; index < chunk.byteLength; index += 1) {
        const byte = chunk[index];
        if (byte === carriageReturn) continue;
        const isEnd = byte === lineFeed && isLineEmpty;
        isLineEmpty = byte === lineFeed;
        if (!isEnd) continue;
        take(index + 1);
        controller.enqueue(concat(event, bytes));
        event = [];
        bytes = 0;
      }
      take(chunk.byteLength);
      if (bytes > maxBytes)
        controller.error(new AppError("llm_failed", { detail: "an event without end" }));
    },
    flush(controller) {
      if (bytes > 0) controller.enqueue(concat(event, bytes));
    },
  });
}

function concat(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
