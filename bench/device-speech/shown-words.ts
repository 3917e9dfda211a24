import type { RelayToken } from "#shared/relay.ts";
import { listNormalWords } from "./normal-words.ts";
import type { Batch } from "./recognition.ts";
import type { Stretch } from "./stretches.ts";
import { alignWords } from "./word-errors.ts";

/** A recognised word. */
export interface ShownWord extends Stretch {
  /** As it is compared. */
  text: string;
}

/** What a reader sees from `atMs` on. */
export interface Shown {
  atMs: number;
  /** Words that have become final then. */
  finals: readonly ShownWord[];
  /** Words behind all final ones, which may still change. */
  interim: readonly ShownWord[];
}

export const listShown = (batches: readonly Batch[]): Shown[] =>
  batches.map(({ atMs, tokens }) => ({
    atMs,
    finals: toShownWords(tokens.filter(({ is_final }) => is_final)),
    interim: toShownWords(tokens.filter(({ is_final }) => !is_final)),
  }));

/** The words as a reader sees them: between two spaces, whatever the tokens are. */
function toShownWords(tokens: readonly RelayToken[]): ShownWord[] {
  const pieces: (Stretch & { text: string })[] = [];
  for (const { text, start_ms: startMs = 0, end_ms: endMs = 0 } of tokens) {
    const last = pieces.at(-1);
    if (last !== undefined && !/^\s/.test(text))
      pieces[pieces.length - 1] = { text: last.text + text, startMs: last.startMs, endMs };
    else pieces.push({ text, startMs, endMs });
  }
  return pieces.flatMap(({ text, startMs, endMs }) =>
    listNormalWords(text).map((word) => ({ text: word, startMs, endMs })),
  );
}

/** What becomes of words that are not final. */
export interface Fate {
  /** Words that appeared before they were final, each time that they did. */
  appeared: ShownWord[];
  /** Of them, words that changed or disappeared. */
  rewritten: ShownWord[];
}

export function followInterim(shown: readonly Shown[]): Fate {
  const fate: Fate = { appeared: [], rewritten: [] };
  let before: readonly ShownWord[] = [];
  // At the end, what is not final disappears.
  for (const { finals, interim } of [...shown, { finals: [], interim: [] }]) {
    const now = [...finals, ...interim];
    const aligned = alignWords(
      before.map(({ text }) => text),
      now.map(({ text }) => text),
    );
    for (const { expected, found, isEqual } of aligned) {
      if (isEqual) continue;
      const old = before[expected ?? -1];
      if (old !== undefined) fate.rewritten.push(old);
      const fresh = now[found ?? -1];
      if (fresh !== undefined && (found ?? 0) >= finals.length) fate.appeared.push(fresh);
    }
    before = interim;
  }
  return fate;
}
