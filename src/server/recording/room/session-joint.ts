import type { ProviderToken, SessionProgress } from "./events.ts";
import { overlapMs } from "./progress.ts";
import { endpointMark, finalizedMark } from "./token-alignment.ts";

/**
 * The joint: where the words of a session that is asked to end go on with those of the next one. Somebody may speak at the end of
 * its sound: it then writes wrong words for what is cut off, and the next session, which hears some seconds again, has
 * other times for the same words. So the joint is in the longest pause before them, and what follows is the next
 * session's.
 */

/** The joint is no further from the end: a session that answers is not asked to end. */
const lastMs = 10_000;
/** It is no nearer to the beginning, so that with each session some sound is acknowledged. */
const firstMs = 2 * overlapMs;
/** The times that two sessions give to a word differ by less; 0.3 s was measured. */
const marginMs = 1_000;

interface LastWords {
  /** Words that are held, or left to the next session, are interim in it. */
  message: SessionProgress;
  /** The last final words and endpoints, until the session has ended. */
  held: readonly ProviderToken[];
  /** Null: it is not known yet, or the session keeps all its words. */
  joint: Joint | null;
}

/** A pause; both times are within it, so far from the words that other times for them do not matter. */
interface Joint {
  /** Words of the next session before this have been given. */
  givenMs: number;
  /** Sound from here on is the next session's. */
  fromMs: number;
}

/**
 * Holds the last words of a session that another one follows, and leaves those after the joint to that one. `givenMs`: the end of
 * the last final word before `message`; `endMs`: of the session's sound. All times are on the session's clock.
 */
export function holdLastWords(
  message: SessionProgress,
  held: readonly ProviderToken[],
  { givenMs, endMs }: { givenMs: number; endMs: number },
): LastWords {
  const fromMs = Math.max(endMs - lastMs, firstMs);
  const ends = message.tokens.filter(({ text }) => text === finalizedMark);
  const interim = message.tokens.filter(({ isFinal }) => !isFinal);
  const finals = message.tokens.filter(({ isFinal, text }) => isFinal && text !== finalizedMark);
  const isLast = ({ startMs }: ProviderToken) => startMs !== null && startMs >= fromMs;
  const found = held.length > 0 ? 0 : finals.findIndex(isLast);
  const given = found === -1 ? finals : finals.slice(0, found);
  const last = [...held, ...finals.slice(given.length)];
  const isEnd = ends.length > 0;
  const joint = isEnd ? findJoint(last, Math.max(givenMs, getEndMs(given)), endMs) : null;
  const kept = isEnd ? last.slice(0, joint?.index) : [];
  const left = last.slice(kept.length).filter(({ text }) => text !== endpointMark);
  const untilMs = isEnd ? (joint?.fromMs ?? endMs) : fromMs;
  return {
    message: {
      ...message,
      tokens: [
        ...given,
        ...kept,
        ...ends,
        ...left.map((token) => ({ ...token, isFinal: false })),
        ...interim,
      ],
      finalMs: Math.min(message.finalMs, untilMs),
      processedMs: Math.min(message.processedMs, untilMs),
    },
    held: isEnd ? [] : last,
    joint,
  };
}

const getEndMs = (words: readonly ProviderToken[]): number =>
  Math.max(0, ...words.map(({ endMs }) => endMs ?? 0));

/**
 * The longest pause before one of `words`, if they reach what the next session hears again; null: they do not.
 * `beforeMs`: the end of the word before them.
 */
function findJoint(
  words: readonly ProviderToken[],
  beforeMs: number,
  endMs: number,
): (Joint & { index: number }) | null {
  if (getEndMs(words) <= endMs - overlapMs - marginMs) return null;
  let longest: (Joint & { index: number; pauseMs: number }) | null = null;
  let previousMs = beforeMs;
  for (const [index, { startMs, endMs: wordEndMs }] of words.entries()) {
    if (startMs === null) continue;
    const pauseMs = Math.max(0, startMs - previousMs);
    const distanceMs = Math.min(marginMs, pauseMs / 2);
    if (longest === null || pauseMs >= longest.pauseMs) {
      const [givenMs, fromMs] = [previousMs + distanceMs, startMs - distanceMs];
      longest = { index, pauseMs, givenMs, fromMs };
    }
    previousMs = Math.max(previousMs, wordEndMs ?? startMs);
  }
  return longest;
}
