/** Characters of a line that is no instruction by chance. */
const instructionMinLength = 40;

const replaceNumbers = (text: string): string => text.replace(/\d+/g, "0");

/**
 * The pieces of a text without the lines of its prompt, which small models repeat in place of an answer; the numbers in
 * them may be others. A line is held back as long as it may be one, so that others arrive as they are written.
 */
export async function* leaveOutInstructions(
  pieces: AsyncIterable<string>,
  system: string,
): AsyncGenerator<string> {
  const instructions = replaceNumbers(system);
  const isIn = (line: string) => instructions.includes(replaceNumbers(line.trim()));
  /** The line so far; null: it is no instruction, and its pieces are passed on. */
  let held: string | null = "";
  for await (const piece of pieces) {
    let passed = "";
    for (const [index, part] of piece.split("\n").entries()) {
      if (index > 0) {
        if (held === null) passed += "\n";
        else if (!isInstruction(held, isIn)) passed += `${held}\n`;
        held = "";
      }
      held = held === null ? null : held + part;
      if (held === null) passed += part;
      else if (!isIn(held)) {
        passed += held;
        held = null;
      }
    }
    if (passed !== "") yield passed;
  }
  if (held !== null && held !== "" && !isInstruction(held, isIn)) yield held;
}

const isInstruction = (line: string, isIn: (line: string) => boolean): boolean =>
  line.trim().length >= instructionMinLength && isIn(line);
