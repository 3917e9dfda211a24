import * as z from "zod/mini";

/** A stretch of the recording that one speaker spoke, in the recording's labels. */
export const speakerTurnSchema = z.object({
  speaker: z.string(),
  startMs: z.number(),
  endMs: z.number(),
});
export type SpeakerTurn = z.infer<typeof speakerTurnSchema>;

/** Enough to look behind the lead-in of a resumed session, and to know who was heard lately. */
const maxTurns = 24;

/** A provider session's labels → the recording's. A session numbers its speakers from the beginning. */
export type SessionSpeakers = Readonly<Record<string, string>>;

/**
 * Who `label` of a session is in the recording. What the session hears again is the best witness:
 * whoever spoke at that time before. Otherwise it is the one heard last whom the session has not
 * named yet, and failing that somebody new.
 */
export function identifySpeaker(
  turns: readonly SpeakerTurn[],
  session: SessionSpeakers,
  label: string,
  atMs: number,
): string {
  const known = session[label];
  if (known !== undefined) return known;
  const claimed = new Set(Object.values(session));
  const witness = turns.findLast((turn) => turn.startMs <= atMs && atMs <= turn.endMs);
  if (witness && !claimed.has(witness.speaker)) return witness.speaker;
  const unclaimed = turns.findLast((turn) => !claimed.has(turn.speaker));
  if (unclaimed) return unclaimed.speaker;
  return createLabel(new Set([...turns.map((turn) => turn.speaker), ...claimed]), label);
}

/** `turns` with the words that `speaker` said from `startMs` to `endMs` at their end. */
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

/** The latest turns, and of every speaker who is in none of them the last one. */
function trimTurns(turns: readonly SpeakerTurn[]): readonly SpeakerTurn[] {
  if (turns.length <= maxTurns) return turns;
  const recent = turns.slice(-maxTurns);
  const heard = new Set(recent.map((turn) => turn.speaker));
  const older: SpeakerTurn[] = [];
  for (const turn of turns.slice(0, -maxTurns).toReversed()) {
    if (heard.has(turn.speaker)) continue;
    heard.add(turn.speaker);
    older.unshift(turn);
  }
  return [...older, ...recent];
}

function createLabel(taken: ReadonlySet<string>, label: string): string {
  if (!taken.has(label)) return label;
  let number = taken.size + 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}
