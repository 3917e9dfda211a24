export interface MarkedSentence {
  /** English; empty in a lecture without rows. */
  sentence: string;
  /** Empty for a mark without a note. */
  note: string;
}

/** The sign of what the student has marked, in the summary. */
export const markSign = "⚑";
/** A note, and a sentence of the list of marks, are cut to this length. */
const markMaxLength = 300;

/** Characters of a mark's lines besides its texts. */
const markOverhead = `${markSign} \n  Note: \n`.length;
/** With less space than this for each mark, some are left out. */
const markMinLength = 60;

/**
 * The student's marks as a list, of at most `maxLength` characters: the more there are, the shorter each is cut, and
 * of too many an even selection is kept. Empty without marks.
 */
export function formatMarks(marks: readonly MarkedSentence[], maxLength: number): string {
  const count = Math.min(marks.length, Math.floor(maxLength / markMinLength));
  const step = marks.length / Math.max(1, count);
  const kept = Array.from({ length: count }, (_, index) => marks[Math.floor(index * step)]);
  const share = Math.floor(maxLength / Math.max(1, count)) - markOverhead;
  return kept
    .map((mark) => {
      const note = toLine(mark?.note ?? "", Math.min(markMaxLength, Math.floor(share / 2)));
      const sentence = toLine(mark?.sentence ?? "", Math.min(markMaxLength, share - note.length));
      return `${markSign} ${sentence}${note === "" ? "" : `\n  Note: ${note}`}`;
    })
    .join("\n");
}

/** `text` on one line, cut to `maxLength` characters. */
function toLine(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}
