import * as z from "zod/mini";
import type { ProviderMessage, ProviderStart } from "#server/recording/room/events.ts";
import type { Env } from "#worker/env.ts";

interface SonioxHandlers {
  message(message: ProviderMessage): void;
  /** Called once, as the last event. */
  closed(code: number): void;
}

const milliseconds = z.catch(z.nullable(z.number().check(z.nonnegative())), null);
const speaker = z.catch(z.nullable(z.union([z.string(), z.number()])), null);

/** The fields that we read of a message; the service may add others. */
const answer = z.object({
  tokens: z._default(
    z.array(
      z.object({
        text: z.string(),
        is_final: z._default(z.boolean(), false),
        start_ms: z.optional(milliseconds),
        end_ms: z.optional(milliseconds),
        speaker: z.optional(speaker),
      }),
    ),
    [],
  ),
  final_audio_proc_ms: z._default(z.number(), 0),
  total_audio_proc_ms: z._default(z.number(), 0),
  error_code: z.optional(z.coerce.number()),
  error_message: z.optional(z.string()),
});

/** Converts a frame of the service to a message for the room; null if it is invalid. */
export function parseSonioxFrame(frame: unknown): ProviderMessage | null {
  if (typeof frame !== "string") return null;
  let json: unknown;
  try {
    json = JSON.parse(frame);
  } catch {
    return null;
  }
  const { data } = answer.safeParse(json);
  if (!data) return null;
  if (data.error_code !== undefined)
    return { type: "error", code: data.error_code, detail: data.error_message ?? "" };
  return {
    type: "progress",
    tokens: data.tokens.map(({ text, is_final: isFinal, start_ms, end_ms, speaker }) => ({
      ...{ text, isFinal, startMs: start_ms ?? null, endMs: end_ms ?? null },
      speaker: speaker?.toString() ?? null,
    })),
    finalMs: data.final_audio_proc_ms,
    totalMs: data.total_audio_proc_ms,
  };
}

/** An open stream of the service. */
export interface SonioxSession {
  sendAudio(pcm: Uint8Array): void;
  sendControl(type: "keepalive" | "finalize"): void;
  close(): void;
}

/**
 * Opens a stream and sends its start message.
 *
 * @throws when the connection cannot be made, or `signal` aborts before it is.
 */
export async function openSonioxSession(
  { url, apiKey }: Env["soniox"],
  start: ProviderStart,
  handlers: SonioxHandlers,
  signal: AbortSignal,
): Promise<SonioxSession> {
  // workerd upgrades http addresses and knows no ws scheme.
  const response = await fetch(url.replace(/^ws/, "http"), {
    headers: { Upgrade: "websocket", Authorization: `Bearer ${apiKey}` },
    signal,
  });
  const socket = response.webSocket;
  if (!socket) throw new Error(`The speech service answered ${response.status}`);
  let open = true;
  const closed = (code: number) => {
    if (!open) return;
    open = false;
    handlers.closed(code);
  };
  socket.addEventListener("message", ({ data }) => {
    const message = parseSonioxFrame(data);
    if (open && message) handlers.message(message);
  });
  socket.addEventListener("close", ({ code }) => closed(code));
  socket.addEventListener("error", () => closed(1006));
  socket.accept();
  socket.binaryType = "arraybuffer";
  socket.send(JSON.stringify(start));
  // Sending on a closing socket throws; its close event reports the end.
  const send = (data: string | Uint8Array) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  return {
    sendAudio: send,
    sendControl: (type) => send(JSON.stringify({ type })),
    close() {
      open = false;
      socket.close(1000);
    },
  };
}
