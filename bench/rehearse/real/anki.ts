import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { z } from "zod";
import type { ExportedCard } from "#client/reading/flashcards/cards.ts";
import { toAnki } from "#client/reading/flashcards/files.ts";

/** Gives Anki's own importer the file that a person exports, and compares what it has read with the cards. */

const languages = ["en_US", "de_DE", "zh_CN", "ja_JP", "ar_SA"];

const rest = { rowId: "row", sentence: "Heat flows.", time: "1:01", note: "" };
const cards: ExportedCard[] = [
  { id: "1", front: "What is it?", back: "Heat.", ...rest },
  { id: "2", front: "What is it?", back: "Work.", ...rest },
  {
    id: "3",
    front: "Energy \\(E = mc^2\\) for $5 or $6, `\\(code\\)`",
    back: "$a_1*b_1*c$",
    ...rest,
  },
  { id: "4", front: '# a "sign" <b> &', back: "a\tb\nc", ...rest },
];
const source = "<br><br>[1:01] Heat flows.";
const expected = [
  ["1", "What is it?", `Heat.${source}`],
  ["2", "What is it?", `Work.${source}`],
  ["3", "Energy \\(E = mc^2\\) for $5 or $6, <code>\\(code\\)</code>", `\\(a_1*b_1*c\\)${source}`],
  ["4", '# a "sign" &lt;b&gt; &amp;', `a\tb<br>c${source}`],
];

const resultSchema = z.array(
  z.object({
    language: z.string(),
    imports: z.array(z.object({ new: z.number(), known: z.number() })),
    notes: z.array(
      z.object({ id: z.string(), type: z.string(), fields: z.array(z.string()), deck: z.string() }),
    ),
  }),
);

/** What Anki's importer, called by `python`, makes of the file in each language. */
export async function importCards(python: string) {
  const folder = await mkdtemp(join(tmpdir(), "anki-"));
  try {
    const file = join(folder, "cards.txt");
    await writeFile(file, toAnki(cards, "Heat"));
    const script = "bench/rehearse/real/import_cards.py";
    const { stdout } = await promisify(execFile)(python, [script, file, ...languages]);
    return resultSchema.parse(JSON.parse(stdout)).map(({ language, imports, notes }) => {
      const found = notes
        .map(({ id, fields }) => [id, ...fields])
        .sort(([a = ""], [b = ""]) => a.localeCompare(b));
      const isRight =
        isDeepStrictEqual(found, expected) &&
        notes.every(({ deck }) => deck === "Heat") &&
        isDeepStrictEqual(imports, [
          { new: cards.length, known: 0 },
          { new: 0, known: cards.length },
        ]);
      const text = isRight
        ? `${language}: ${notes.length} notes of the type ${notes[0]?.type ?? "none"}, none the second time`
        : `${language}: differs: ${JSON.stringify({ imports, notes })}`;
      return { isRight, text };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
