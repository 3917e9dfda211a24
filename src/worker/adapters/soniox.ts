import * as z from "zod/mini";
import type { ProviderMessage } from "#server/recording/room/events.ts";
import {
  attachSocket,
  type OpenSpeechSession,
  parseFrame,
  requestSocket,
  type SpeechSettings,
} from "./speech-session.ts";

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
  const { data } = answer.safeParse(parseFrame(frame));
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

type SonioxSettings = Extract<SpeechSettings, { service: "Soniox" }>;

export const openSonioxSession: OpenSpeechSession<SonioxSettings> = async (
  { url, apiKey },
  start,
  handlers,
  signal,
) => {
  const { status, webSocket } = await requestSocket(url, `Bearer ${apiKey}`, signal);
  if (!webSocket) throw new Error(`The speech service answered ${status}`);
  const { send, close } = attachSocket(webSocket, {
    ...handlers,
    message(data) {
      const message = parseSonioxFrame(data);
      if (message) handlers.message(message);
    },
  });
  send(JSON.stringify(start));
  return {
    sendAudio: send,
    sendControl: (type) => send(JSON.stringify({ type })),
    close,
  };
};
