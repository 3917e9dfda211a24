import { contextMaxLength, previousContextWords } from "./limits.ts";

const prefix = "Previous context: ";

function splitWords(text: string): string[] {
  return text.match(/\S+/gu) ?? [];
}

export function countWords(text: string): number {
  return splitWords(text).length;
}

/** The last 100 words before row `position`, as context for the translator. */
export function previousContext(
  englishAt: (position: number) => string | undefined,
  position: number,
): string {
  const collected: string[] = [];
  for (let at = position - 1; at >= 0 && collected.length < previousContextWords; at -= 1) {
    const missing = previousContextWords - collected.length;
    collected.unshift(...splitWords(englishAt(at) ?? "").slice(-missing));
  }
  if (collected.length === 0) return "";
  // Text without spaces counts as one word, so the length is limited too.
  return prefix + collected.join(" ").slice(prefix.length - contextMaxLength);
}
