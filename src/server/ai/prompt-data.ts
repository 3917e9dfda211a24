/**
 * What was said, as data of a prompt: it stands between tags that it cannot open or close, in the
 * user's message, and the instructions stand in the system message alone.
 */

const reservedTags = /<(?=\s*(?:\/\s*)?(?:text|previous_context|lecture_context)\b)/gi;

/**
 * Takes the opening bracket from what only looks like one of our tags, and half characters, which some
 * servers do not take. Costs one pass.
 */
export function escapeTags(content: string): string {
  return content.toWellFormed().replace(reservedTags, "‹");
}

/** `content` between tags, each on its own line; nothing for blank content. */
export function createContextBlock(
  tag: "previous_context" | "lecture_context",
  content: string,
): string {
  return content.trim() === "" ? "" : `<${tag}>\n${escapeTags(content.trim())}\n</${tag}>`;
}

/** The text to work on. */
export const createTextBlock = (text: string): string => `<text>${escapeTags(text)}</text>`;
