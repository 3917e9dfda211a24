import { beforeEach, expect, it, vi } from "vitest";
import { readFile } from "#client/features/import/read-file.ts";

/** Characters of the texts that were joined. */
const joined = vi.hoisted(() => ({ characters: 0 }));

vi.mock("#shared/join-pieces.ts", async (load) => {
  const original = await load<typeof import("#shared/join-pieces.ts")>();
  const joinPieces: typeof original.joinPieces = (pieces, language) => {
    for (const piece of pieces) joined.characters += piece.length;
    return original.joinPieces(pieces, language);
  };
  const getSpace: typeof original.getSpace = (before, after, language) => {
    joined.characters += before.length + after.length;
    return original.getSpace(before, after, language);
  };
  return { ...original, joinPieces, getSpace };
});

beforeEach(() => {
  joined.characters = 0;
});

const cue = "1\n00:00:01,000 --> 00:00:02,000\nLight bends.\n\n";

/** Enough of them end with their sentence to be joined. */
const chineseCues =
  cue.replace("Light bends.", "光会弯曲").repeat(8) + cue.replace("Light bends.", "光会弯曲。");

it.each<[name: string, file: string, text: string]>([
  ["stray blocks", "a.srt", cue + `${"a stray line ".repeat(20)}\n\n`.repeat(2_000)],
  ["one block of stray lines", "a.vtt", `WEBVTT\n\n${cue}\n\n${"a stray line\n".repeat(20_000)}`],
  ["cues in Chinese that are one group", "a.srt", chineseCues.repeat(500)],
  ["lines that may be wrapped", "a.txt", `${"a line ".repeat(20)}\n`.repeat(5_000)],
])("joins the texts of a hostile file once: %s", async (_, name, text) => {
  const reading = await readFile(new File([text], name));
  expect("file" in reading && reading.file.single.length).toBeGreaterThan(0);
  expect(joined.characters).toBeLessThan(8 * text.length);
});

it("reads all of the text that is outside of cues", async () => {
  const text = cue + Array.from({ length: 200_000 }, (_, at) => `line ${at}`).join("\n");
  const reading = await readFile(new File([text], "a.srt"));
  const words =
    "file" in reading ? reading.file.single.map(({ original }) => original).join(" ") : "";
  expect(words.startsWith("Light bends. line 0 line 1")).toBe(true);
  expect(words.endsWith("line 199999")).toBe(true);
});
