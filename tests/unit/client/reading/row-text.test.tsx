// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { findMatches } from "#client/reading/find-matches.ts";
import { createRange } from "#client/reading/highlight.ts";
import { readSelectedWords, selectByKey } from "#client/reading/terms/selected-words.ts";
import { showFormulas } from "#client/ui/lazy-formula.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

const original = "Then $x_1$ grows, as $y^2$ does.";
const row = createRow({ position: 0, original, translated: "$5 each." });
const blocks = [{ from: 0, rows: [row] }];

beforeEach(async () => {
  await show(
    <section>
      <div data-row={0}>
        <p lang="en">
          <button type="button">[S1]</button>
          {showFormulas(row.original)}
        </p>
        <p lang="en">{showFormulas(row.translated)}</p>
      </div>
    </section>,
  );
  await waitUntil(() => document.body.querySelectorAll("math").length === 2);
});

const getRow = () => {
  const element = document.body.querySelector<HTMLElement>("[data-row]");
  if (!element) throw new Error("No row");
  return element;
};
const getPage = () => document.body.querySelector("section") ?? document.body;
const find = (query: string) => {
  const [match] = findMatches(blocks, query, (one) => [one.original, one.translated]);
  const range = match && createRange(getRow(), match);
  if (!range) throw new Error(`${query} is not found`);
  return range;
};

describe("a row with formulas", () => {
  it("is found by its words, and by what its formulas are written as", () => {
    expect(find("grows").toString()).toBe("grows");
    expect(find("5 each").toString()).toBe("5 each");
    for (const query of ["x_1", "$y^2$"]) {
      const { startContainer, startOffset, endOffset } = find(query);
      expect(startContainer).toBe(document.body.querySelector("p"));
      expect(endOffset - startOffset).toBe(1);
      const shown = startContainer.childNodes[startOffset] as HTMLElement;
      expect(shown.querySelector("math")).not.toBeNull();
      expect(shown.textContent).toContain(query);
    }
    expect(find("1$ grows").toString()).toMatch(/^\$x_1\$.*grows$/);
  });

  it("gives the words that are selected across a formula as they are written", () => {
    const range = document.createRange();
    const texts = [...(getRow().querySelectorAll("p")[0]?.childNodes ?? [])].filter(
      (node) => node instanceof Text,
    );
    range.setStart(texts[0] as Text, 0);
    range.setEnd(texts[1] as Text, 6);
    window.getSelection()?.removeAllRanges();
    window.getSelection()?.addRange(range);
    expect(readSelectedWords(window.getSelection(), getPage(), blocks)).toMatchObject({
      words: "Then $x_1$ grows",
      text: "original",
    });
  });

  it("lets the keyboard go over its formulas from word to word", () => {
    window.getSelection()?.removeAllRanges();
    const read = () => readSelectedWords(window.getSelection(), getPage(), blocks)?.words;
    const words: (string | undefined)[] = [];
    selectByKey(getRow(), 0, false);
    words.push(read());
    for (let step = 0; step < 5; step += 1) {
      selectByKey(getRow(), 1, false);
      words.push(read());
    }
    expect(words).toEqual(["Then", "$x_1$", "grows", "as", "$y^2$", "does"]);
    selectByKey(getRow(), -1, false);
    expect(read()).toBe("$y^2$");
  });
});
