/** What our subtitle files have in their texts so that an import finds what was exported. Nothing of it is seen. */

const invisible = "\u200b";

/** Ends a line that goes on in the next one. Spaces stay before it. */
export const lineMark = invisible;
/** Ends the part of a row that goes on in the next cue, in each of its languages. */
export const partMark = invisible + invisible;

/** So that no line is read as a timing line. */
export const breakArrows = (text: string): string => text.replaceAll("-->", `--${invisible}>`);

/**
 * So that players, which read SubRip and WebVTT as Advanced SubStation Alpha, show what looks like an override or a line
 * break of it: `{\alpha}`, `\nabla`, `C:\new`.
 */
export const breakOverrides = (text: string): string =>
  text.replace(/\{(?=\\)|\\(?=[nNh])/g, `$&${invisible}`);

/** The same, and what looks like a tag of SubRip: `vector<int>`. WebVTT's are written by names of characters. */
export const breakTags = (text: string): string =>
  breakOverrides(text).replace(/<(?=\S)/g, `$&${invisible}`);

/** The text as it was before. */
export const joinBroken = (text: string): string =>
  text.replaceAll(`--${invisible}>`, "-->").replace(/([<{\\])\u200b/g, "$1");
