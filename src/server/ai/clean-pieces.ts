import { createUnusableAnswer } from "#server/ports.ts";
import { canBecomeAnnouncement, isAnnouncementLine } from "./announcements.ts";
import { turnSign } from "./clean-answer.ts";
import type { ThoughtFilter } from "./thoughts.ts";

/** What `unwrapAnswer` does to a whole answer, for one that arrives in pieces. */

/** The line of a fence around everything. Others begin code that is a part of the answer. */
const openFence = /^```(?:markdown|md|text|json)?\s*$/i;
const fenceMax = 16;
const closeFence = /\s*`{3}\s*$/;
/** Characters of a sign of the chat template that may be in two pieces. */
const signMax = 42;

/**
 * The pieces of an answer without thoughts, announcement and fence around it, and without what follows it in another turn.
 *
 * @throws AppError `llm_unusable` for an answer that is only thoughts, which have not ended
 */
export async function* cleanPieces(
  pieces: AsyncIterable<string>,
  thoughts: ThoughtFilter,
): AsyncGenerator<string> {
  const wrapping = new WrappingFilter();
  for await (const piece of pieces) {
    const cleaned = wrapping.push(thoughts.push(piece));
    if (cleaned !== "") yield cleaned;
    if (wrapping.hasEnded) return;
  }
  if (thoughts.isThinking) throw createUnusableAnswer("thoughts without an answer");
  const rest = wrapping.push(thoughts.end()) + wrapping.end();
  if (rest !== "") yield rest;
}

/** Takes announcement, fence and further turns out of an answer. */
class WrappingFilter {
  #held = "";
  #hasBegun = false;
  #isFenced = false;
  /** Another turn has begun. */
  hasEnded = false;

  push(piece: string): string {
    if (piece === "" || this.hasEnded) return "";
    this.#held += piece;
    if (!this.#hasBegun && !this.#begin()) return "";
    const turn = this.#held.search(turnSign);
    if (turn >= 0) {
      this.#held = this.#held.slice(0, turn);
      this.hasEnded = true;
      return this.end();
    }
    return this.#take(this.#findCertainEnd());
  }

  end(): string {
    const rest = this.#take(this.#held.length);
    return this.#isFenced ? rest.replace(closeFence, "") : rest;
  }

  /** False while the first line may still become an announcement or a fence. */
  #begin(): boolean {
    for (;;) {
      this.#held = this.#held.trimStart();
      const text = this.#held;
      const lineEnd = text.indexOf("\n");
      if (lineEnd < 0) {
        const mayBeFence = text.startsWith("`") && text.length <= fenceMax;
        if (text === "" || mayBeFence || canBecomeAnnouncement(text)) return false;
        break;
      }
      const line = text.slice(0, lineEnd);
      const isFence = !this.#isFenced && openFence.test(line);
      if (!isFence && !isAnnouncementLine(line)) break;
      this.#isFenced ||= isFence;
      this.#held = text.slice(lineEnd + 1);
    }
    this.#hasBegun = true;
    return true;
  }

  /** What follows may be the beginning of a sign, or the last line of the fence. */
  #findCertainEnd(): number {
    const { length } = this.#held;
    const sign = this.#held.lastIndexOf("<");
    const isSign = sign >= 0 && length - sign <= signMax && !/[>\n]/.test(this.#held.slice(sign));
    const end = isSign ? sign : length;
    if (!this.#isFenced) return end;
    let certain = this.#held.slice(0, end).trimEnd();
    for (let ticks = 0; ticks < 3 && certain.endsWith("`"); ticks += 1)
      certain = certain.slice(0, -1);
    return certain.trimEnd().length;
  }

  #take(end: number): string {
    const taken = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return taken;
  }
}
