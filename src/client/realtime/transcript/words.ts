import { contextMaxLength, previousContextWords } from "#shared/limits.ts";

const prefix = "Previous context: ";

function words(text: string): string[] {
  return text.match(/\S+/gu) ?? [];
}

export function countWords(text: string): number {
  return words(text).length;
}

/** The last 100 words before row `position`, for the translator; reads no further back than it needs to. */
export function previousContext(
  englishAt: (position: number) => string | undefined,
  position: number,
): string {
  const collected: string[] = [];
  for (let at = position - 1; at >= 0 && collected.length < previousContextWords; at -= 1) {
    const missing = previousContextWords - collected.length;
    collected.unshift(...words(englishAt(at) ?? "").slice(-missing));
  }
  if (collected.length === 0) return "";
  // A script without spaces makes one word of a page.
  return prefix + collected.join(" ").slice(prefix.length - contextMaxLength);
}
