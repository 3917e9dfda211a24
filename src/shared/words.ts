import { findCut } from "./join-pieces.ts";
import { contextMaxLength, previousContextMaxLength, previousContextWords } from "./limits.ts";

/** Texts that stand in place of a result. They are stored or displayed as they are. */
export const translationFailed = "[Translation Failed]";
export const noTranslation = "[No translation]";
export const untranslatableFragment = "[Untranslatable fragment]";
export const summaryFailed = "[Summary Failed]";

const prefix = "Previous context: ";

function splitWords(text: string): string[] {
  return text.match(/\S+/gu) ?? [];
}

export function countWords(text: string): number {
  return splitWords(text).length;
}

/** The last 100 words before row `position`, as context for the translator. */
export function previousContext(
  originalAt: (position: number) => string | undefined,
  position: number,
): string {
  const collected: string[] = [];
  for (let at = position - 1; at >= 0 && collected.length < previousContextWords; at -= 1) {
    const missing = previousContextWords - collected.length;
    collected.unshift(...splitWords(originalAt(at) ?? "").slice(-missing));
  }
  if (collected.length === 0) return "";
  // Text without spaces counts as one word, so the length is limited too.
  return prefix + collected.join(" ").slice(prefix.length - previousContextMaxLength);
}

/**
 * The beginning of a lecture's Context that is kept and sent. Longer ones are typed elsewhere, or were stored by earlier
 * versions. In JSON it fits into a frame of the relay (16 KiB) and into what Soniox accepts (10,000 characters).
 */
export const truncateContext = (context: string): string =>
  context.slice(0, findCut(context, contextMaxLength));

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for ids that the schema `uuid` accepts; for pages that would load Zod for nothing else. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
