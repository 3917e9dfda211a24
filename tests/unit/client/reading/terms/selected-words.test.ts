// @vitest-environment happy-dom
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { moveSpan, readSelectedWords } from "#client/reading/terms/selected-words.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

const rows = [
  createRow({ original: "Cells divide by mitosis.", translated: "细胞通过有丝分裂。" }),
  // The demo's translation ends with its original.
  createRow({ position: 1, original: "They split.", translated: "〔demo〕 They split." }),
  createRow({ position: 2, original: "Wait.", translated: "", translation: "waiting" }),
];
const blocks = [{ from: 0, rows }];

function showRows(): HTMLElement {
  const page = document.createElement("section");
  for (const { position, original, translated, translation } of rows) {
    const row = document.createElement("div");
    row.dataset.row = String(position);
    const texts = [original, translation === "done" ? translated : "Preview of it"];
    for (const [index, text] of texts.entries()) {
      const paragraph = row.appendChild(document.createElement("p"));
      if (index === 0) {
        const speaker = paragraph.appendChild(document.createElement("button"));
        speaker.textContent = "[S1]";
      }
      paragraph.append(text);
    }
    page.append(row);
  }
  document.body.replaceChildren(page);
  return page;
}
afterEach(() => document.body.replaceChildren());

/** Selects from `from` in the text `start` to `to` in the text `end`, and reads what is selected. */
function select(start: string, from: number, end: string, to: number) {
  const page = showRows();
  const texts = [...page.querySelectorAll("p")].flatMap(({ lastChild }) =>
    lastChild instanceof Text ? lastChild : [],
  );
  const [startNode, endNode] = [start, end].map((text) => texts.find(({ data }) => data === text));
  if (!startNode || !endNode) throw new Error("No such text");
  window.getSelection()?.setBaseAndExtent(startNode, from, endNode, to);
  return readSelectedWords(window.getSelection(), page, blocks);
}
const [first, second] = [rows[0]?.original ?? "", rows[1]?.original ?? ""];

describe("readSelectedWords", () => {
  it("knows the row and which of its texts has the words", () => {
    expect(select(first, 16, first, 23)).toMatchObject({
      words: "mitosis",
      text: "original",
      row: { position: 0 },
    });
    const translated = rows[0]?.translated ?? "";
    expect(select(translated, 4, translated, 8)).toMatchObject({
      words: "有丝分裂",
      text: "translation",
    });
    const demo = rows[1]?.translated ?? "";
    expect(select(demo, 7, demo, 11)).toMatchObject({ words: "They", text: "translation" });
  });

  it("ends in its row where the selection ends before the next one's first letter", () => {
    expect(select(first, 0, rows[0]?.translated ?? "", 0)?.words).toBe("Cells divide by mitosis.");
  });

  it.each([
    ["words of two rows", first, 16, second, 4],
    ["nothing", first, 3, first, 3],
    ["punctuation alone", first, 23, first, 24],
    ["a preview, which is no translation", "Preview of it", 0, "Preview of it", 7],
  ])("has nothing of %s", (_, start, from, end, to) => {
    expect(select(start, from, end, to)).toBeNull();
  });
});

describe("moveSpan", () => {
  const text = "Cells divide by mitosis.";
  it("selects the first word, then the next ones, and extends and shortens", () => {
    expect(moveSpan(text, null, 0, false)).toEqual([0, 5]);
    expect(moveSpan(text, [0, 5], 1, false)).toEqual([6, 12]);
    expect(moveSpan(text, [6, 12], 1, true)).toEqual([6, 15]);
    expect(moveSpan(text, [6, 15], -1, true)).toEqual([6, 12]);
    expect(moveSpan(text, [6, 12], -1, true)).toEqual([6, 12]);
    expect(moveSpan(text, [16, 23], 1, false)).toEqual([16, 23]);
  });

  it("always selects whole words of the text", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(-1 as const, 1 as const), fc.boolean()), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(text, "细胞通过有丝分裂。", "L’eau, c’est bon!"),
        steps,
        (text, steps) => {
          const words = [
            ...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text),
          ].filter(({ isWordLike }) => isWordLike);
          const starts = words.map(({ index }) => index);
          const ends = words.map(({ index, segment }) => index + segment.length);
          let span = moveSpan(text, null, 0, false);
          for (const [step, isExtended] of steps) {
            span = moveSpan(text, span, step, isExtended);
            expect(starts).toContain(span?.[0]);
            expect(ends).toContain(span?.[1]);
          }
        },
      ),
      { numRuns: countRuns(200) },
    );
  });
});
