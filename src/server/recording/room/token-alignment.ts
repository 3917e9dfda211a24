import type { RelayToken } from "#shared/relay.ts";
import type { ProviderToken } from "./events.ts";
import {
  addSpokenWords,
  identifySpeaker,
  type SessionSpeakers,
  type SpeakerTurn,
} from "./speaker-mapping.ts";

const endpointMark = "<end>";
const finalizedMark = "<fin>";

/** What of a session's answer is news for the browser. */
export interface AlignedTokens {
  tokens: RelayToken[];
  /** The speaker came to a stop behind everything that was delivered. */
  isEndpoint: boolean;
  isFinalized: boolean;
  /** End of the last final word that was delivered, here or before. */
  deliveredMs: number;
  /** End of the session's last final word, delivered now or before. */
  lastFinalMs: number;
  /** End of the last word, final or interim. */
  lastWordMs: number;
  hasInterim: boolean;
  speakers: SessionSpeakers;
  turns: readonly SpeakerTurn[];
}

export interface AlignmentInput {
  /** When the session's clock began, on the recording's. */
  startMs: number;
  /** Words that lie before this were delivered by an earlier session. */
  cutoffMs: number;
  deliveredMs: number;
  lastFinalMs: number;
  lastWordMs: number;
  diarization: boolean;
  speakers: SessionSpeakers;
  turns: readonly SpeakerTurn[];
}

/** Puts a session's tokens on the recording's clock and leaves out what the browser has already. */
export function alignTokens(
  tokens: readonly ProviderToken[],
  input: AlignmentInput,
): AlignedTokens {
  const out: AlignedTokens = {
    tokens: [],
    isEndpoint: false,
    isFinalized: false,
    deliveredMs: input.deliveredMs,
    lastFinalMs: input.lastFinalMs,
    lastWordMs: input.lastWordMs,
    hasInterim: false,
    speakers: input.speakers,
    turns: input.turns,
  };
  let previousMs = out.lastFinalMs;
  for (const token of tokens) {
    if (token.text === endpointMark) {
      // An endpoint inside what was delivered before is no news.
      if (out.lastFinalMs >= input.cutoffMs && out.lastFinalMs > input.startMs)
        out.isEndpoint = true;
      continue;
    }
    if (token.text === finalizedMark) {
      out.isFinalized = true;
      continue;
    }
    const start = token.startMs === null ? previousMs : Math.round(input.startMs + token.startMs);
    const end =
      token.endMs === null ? start : Math.max(start, Math.round(input.startMs + token.endMs));
    previousMs = end;
    out.lastWordMs = Math.max(out.lastWordMs, end);
    if (token.isFinal) out.lastFinalMs = Math.max(out.lastFinalMs, end);
    else out.hasInterim = true;
    const speaker = resolveSpeaker(token, (start + end) / 2, input, out);
    if (isRepeat(start, end, input.cutoffMs)) continue;
    if (token.isFinal) {
      out.deliveredMs = Math.max(out.deliveredMs, end);
      if (speaker !== null) out.turns = addSpokenWords(out.turns, speaker, start, end);
    }
    out.tokens.push({
      text: token.text,
      is_final: token.isFinal,
      ...(speaker === null ? {} : { speaker }),
      start_ms: start,
      end_ms: end,
    });
  }
  return out;
}

/** By the middle of the word: two sessions never agree to the millisecond on where it ends. */
function isRepeat(start: number, end: number, cutoffMs: number): boolean {
  return cutoffMs > 0 && (start === end ? end <= cutoffMs : (start + end) / 2 < cutoffMs);
}

function resolveSpeaker(
  token: ProviderToken,
  at: number,
  input: AlignmentInput,
  out: AlignedTokens,
) {
  if (!input.diarization || token.speaker === null) return null;
  const speaker = identifySpeaker(out.turns, out.speakers, token.speaker, at);
  // An interim word's speaker may still change: it settles nothing.
  if (token.isFinal && out.speakers[token.speaker] === undefined)
    out.speakers = { ...out.speakers, [token.speaker]: speaker };
  return speaker;
}
