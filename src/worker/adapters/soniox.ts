import type { ProviderMessage, ProviderToken } from "#server/recording/room/events.ts";
import {
  attachSocket,
  type OpenSpeechSession,
  parseFrame,
  requestSocket,
  type SpeechSettings,
} from "./speech-session.ts";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Converts a frame of the service to a message for the room; null if it is invalid. The service may add fields. Checked
 * by hand, because a recording gets several frames a second, and a schema took as long as the rest of their way.
 */
export function parseSonioxFrame(frame: unknown): ProviderMessage | null {
  const answer = parseFrame(frame);
  if (!isObject(answer)) return null;
  if (answer.error_code !== undefined) return parseError(answer);
  const { tokens: given = [], final_audio_proc_ms: finalMs = 0 } = answer;
  const { total_audio_proc_ms: totalMs = 0 } = answer;
  if (!Array.isArray(given) || typeof finalMs !== "number" || typeof totalMs !== "number")
    return null;
  const tokens = given.map(parseToken).filter((token) => token !== null);
  return tokens.length < given.length ? null : { type: "progress", tokens, finalMs, totalMs };
}

function parseError({ error_code, error_message: detail = "" }: Fields): ProviderMessage | null {
  const code = Number(error_code);
  if (Number.isNaN(code) || typeof detail !== "string") return null;
  return { type: "error", code, detail };
}

function parseToken(token: unknown): ProviderToken | null {
  if (!isObject(token)) return null;
  const { text, is_final: isFinal = false, start_ms, end_ms, speaker } = token;
  if (typeof text !== "string" || typeof isFinal !== "boolean") return null;
  return {
    text,
    isFinal,
    startMs: parseTime(start_ms),
    endMs: parseTime(end_ms),
    speaker: typeof speaker === "string" || typeof speaker === "number" ? String(speaker) : null,
  };
}

/** Null for a time that makes no sense: the token counts all the same. */
const parseTime = (value: unknown) => (typeof value === "number" && value >= 0 ? value : null);

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
