import * as z from "zod/mini";

/** A part of the recording with one speaker, with the recording's label. */
export const speakerTurnSchema = z.object({
  speaker: z.string(),
  startMs: z.number(),
  endMs: z.number(),
});
export type SpeakerTurn = z.infer<typeof speakerTurnSchema>;

/** Speakers of one recording: three times as many as a service tells apart. Further ones have no label. */
export const speakersMax = 48;

/** Enough for the lead-in of a resumed session and for the latest speakers. */
const maxTurns = 24;

/** Maps a provider session's speaker labels to the recording's. Each session numbers its speakers from the start. */
export type SessionSpeakers = Readonly<Record<string, string>>;

/**
 * Finds the recording's speaker for `label` of a session: the speaker who was at this time before, when
 * the session repeats audio; otherwise the latest speaker without a label in this session; otherwise a
 * new one. Null for one too many.
 */
export function identifySpeaker(
  turns: readonly SpeakerTurn[],
  session: SessionSpeakers,
  label: string,
  atMs: number,
): string | null {
  const known = session[label];
  if (known !== undefined) return known;
  const used = new Set(Object.values(session));
  if (used.size >= speakersMax) return null;
  const overlapping = turns.findLast((turn) => turn.startMs <= atMs && atMs <= turn.endMs);
  if (overlapping && !used.has(overlapping.speaker)) return overlapping.speaker;
  const unlabelled = turns.findLast((turn) => !used.has(turn.speaker));
  if (unlabelled) return unlabelled.speaker;
  return createLabel(new Set([...turns.map((turn) => turn.speaker), ...used]), label);
}

/** Appends words of `speaker` from `startMs` to `endMs` to `turns`. */
export function addSpokenWords(
  turns: readonly SpeakerTurn[],
  speaker: string,
  startMs: number,
  endMs: number,
): readonly SpeakerTurn[] {
  const last = turns.at(-1);
  if (last?.speaker === speaker) return [...turns.slice(0, -1), { ...last, endMs }];
  return trimTurns([...turns, { speaker, startMs, endMs }]);
}

/** Keeps the latest turns, and the last turn of every other speaker. */
function trimTurns(turns: readonly SpeakerTurn[]): readonly SpeakerTurn[] {
  const isLastOfSpeaker = (turn: SpeakerTurn) =>
    turns.findLast(({ speaker }) => speaker === turn.speaker) === turn;
  return turns.filter((turn, index) => index >= turns.length - maxTurns || isLastOfSpeaker(turn));
}

function createLabel(taken: ReadonlySet<string>, label: string): string {
  if (!taken.has(label)) return label;
  let number = taken.size + 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}
