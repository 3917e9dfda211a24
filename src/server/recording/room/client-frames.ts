import { relayFrameMaxBytes } from "#shared/limits.ts";
import { decodeAudioFrame, relayClientMessage, relayNumberedAudio } from "#shared/relay.ts";
import type { ClientMessage } from "./events.ts";

const noAudio = new Uint8Array();

/**
 * Parses a client's WebSocket frame. An invalid frame becomes a `malformed` message, never an exception. Audio with a
 * number and without a readable chunk stays audio, with an empty chunk: if its number were lost, the next chunk would seem
 * to leave a gap.
 */
export function parseClientFrame(frame: string | ArrayBuffer): ClientMessage {
  if (typeof frame !== "string") {
    if (frame.byteLength > relayFrameMaxBytes) return { type: "tooBig" };
    const audio = decodeAudioFrame(frame);
    if (!audio) return toMalformed("A binary frame is a sequence number and a chunk.");
    return { type: "audio", ...audio, binary: true };
  }
  // A character has at least one byte in UTF-8: the cheap check comes first.
  if (frame.length > relayFrameMaxBytes || Buffer.byteLength(frame) > relayFrameMaxBytes)
    return { type: "tooBig" };
  let json: unknown;
  try {
    json = JSON.parse(frame);
  } catch {
    return toMalformed("A text frame must be JSON.");
  }
  const parsed = relayClientMessage.safeParse(json);
  if (!parsed.success) {
    const numbered = relayNumberedAudio.safeParse(json);
    if (numbered.success) return toAudio(numbered.data.seq, noAudio);
    const issue = parsed.error.issues[0];
    return toMalformed(`Unknown or malformed message (${issue?.path.join(".") || "type"}).`);
  }
  const message = parsed.data;
  switch (message.type) {
    case "config":
      if (message.codec === "opus" && (message.take === undefined || message.audio !== "binary"))
        return toMalformed("Opus needs a take and binary audio.");
      return { type: "config", config: message };
    case "audio": {
      const chunk = fromBase64(message.data);
      if (chunk === null && message.seq === undefined)
        return toMalformed("Audio data must be base64 of 16-bit samples.");
      return toAudio(message.seq ?? null, chunk ?? noAudio);
    }
    case "keepalive":
    case "finalize":
    case "terms":
    case "probe":
      return message;
    default:
      return message satisfies never;
  }
}

/** `Buffer` skips invalid characters, so the length is compared. */
function fromBase64(data: string): Uint8Array | null {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const expected = Math.floor(((data.length - padding) * 3) / 4);
  const pcm = Buffer.from(data, "base64");
  const valid = pcm.byteLength === expected && expected > 0 && expected % 2 === 0;
  return valid ? pcm : null;
}

const toAudio = (seq: number | null, chunk: Uint8Array): ClientMessage => ({
  type: "audio",
  seq,
  chunk,
  binary: false,
});

function toMalformed(reason: string): ClientMessage {
  return { type: "malformed", reason };
}
