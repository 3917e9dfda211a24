import type { RelayToken } from "#shared/relay.ts";
import type { ProviderToken } from "./events.ts";
import {
  addSpokenWords,
  identifySpeaker,
  type SessionSpeakers,
  type SpeakerTurn,
} from "./speaker-mapping.ts";

export const endpointMark = "<end>";
export const finalizedMark = "<fin>";

/** State of the room and its session that a batch of tokens changes. */
interface AlignmentState {
  /** End of the last final word that was delivered, by this session or an earlier one. */
  deliveredMs: number;
  /** End of the session's last final word. */
  lastFinalMs: number;
  /** End of the last word, final or interim. */
  lastWordMs: number;
  speakers: SessionSpeakers;
  turns: readonly SpeakerTurn[];
}

interface AlignmentInput extends AlignmentState {
  /** Start of the session on the lecture's clock. */
  startMs: number;
  /** Words before this time were delivered by an earlier session. */
  cutoffMs: number;
  diarization: boolean;
  /** The provider finds out which language is spoken. */
  identifiesLanguage: boolean;
}

/** Tokens that are new for the client, with the updated state. */
interface AlignedTokens extends AlignmentState {
  tokens: RelayToken[];
  /** The speaker has paused after the delivered words. */
  isEndpoint: boolean;
  isFinalized: boolean;
  hasInterim: boolean;
}

/** Converts a session's tokens to the lecture's clock and drops those that were already delivered. */
export function alignTokens(
  tokens: readonly ProviderToken[],
  input: AlignmentInput,
): AlignedTokens {
  const { deliveredMs, lastFinalMs, lastWordMs, speakers, turns } = input;
  const out: AlignedTokens = {
    deliveredMs,
    lastFinalMs,
    lastWordMs,
    speakers,
    turns,
    tokens: [],
    isEndpoint: false,
    isFinalized: false,
    hasInterim: false,
  };
  let previousMs = out.lastFinalMs;
  for (const token of tokens) {
    if (token.translation === "translation") continue;
    if (token.text === endpointMark) {
      // An endpoint before the cutoff was already delivered.
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
      ...(input.identifiesLanguage && token.language ? { language: token.language } : {}),
      start_ms: start,
      end_ms: end,
    });
  }
  return out;
}

/** Compares the middle of the word, because two sessions never give exactly the same word end. */
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
  // The speaker of an interim word may still change, so only final words fix the mapping.
  if (speaker !== null && token.isFinal && out.speakers[token.speaker] === undefined)
    out.speakers = { ...out.speakers, [token.speaker]: speaker };
  return speaker;
}
