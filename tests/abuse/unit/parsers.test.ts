import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSummary } from "#client/features/export/summary-blocks.ts";
import { readFile } from "#client/features/import/read-file.ts";
import { escapeMarkdown } from "#client/lib/escape-markdown.ts";
import { proposeByFrequency } from "#client/lib/frequency/propose-by-frequency.ts";
import { readTable } from "#client/lib/glossary-table.ts";
import SafeMarkdown from "#client/reading/safe-markdown.tsx";
import { markMatches, toMatches } from "#server/search/highlights.ts";
import { parseTerms } from "#server/search/parse-query.ts";
import { pairTexts } from "#shared/pair-texts.ts";
import { addTokens, createPending } from "#shared/segmentation.ts";
import { startStepCounter } from "#tests/fixtures/count-steps.ts";

/** Repeats `unit` up to `length` characters. */
const repeat = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Numbered and timed cues with `text`. */
const cues = (text: string) => (length: number) => {
  const parts: string[] = [];
  for (let size = 0, index = 1; size < length; index += 1) {
    const part = `${index}\n00:00:01,000 --> 00:00:02,000\n${text}\n\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
};

/** List items, each indented further than the last. */
const growingIndent = (length: number) => {
  const lines: string[] = [];
  for (let size = 0, depth = 0; size < length; depth += 1) {
    const line = `${"  ".repeat(depth)}- a`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n");
};

const growingBackticks = (length: number) =>
  Array.from({ length: Math.floor(Math.sqrt(2 * length)) }, (_, index) => "`".repeat(index)).join(
    " ",
  );

const inputs: Record<string, (length: number) => string> = {
  spaces: repeat(" "),
  tabs: repeat("\t"),
  "line ends": repeat("\n"),
  CRLF: repeat("a\r\n"),
  "spaces within a heading": (length) => `# a${" ".repeat(length)}b`,
  "spaces after a bullet, and a line separator": (length) => `-${" ".repeat(length)}a\u2028b`,
  "spaces within a cue": (length) => `1\n00:00:01,000 --> 00:00:02,000\na${" ".repeat(length)}b\n`,
  "#": repeat("#"),
  "# within a heading": (length) => `# a${"#".repeat(length)}b`,
  "headings without text": repeat("#\n"),
  "underlined headings": repeat("a\n=\n"),
  "lines of =": repeat("=\n"),
  "lines of -": repeat("-\n"),
  backticks: repeat("`"),
  "backticks in growing runs": growingBackticks,
  "unclosed brackets": repeat("["),
  "unopened brackets": repeat("]"),
  "unclosed links": repeat("[a]("),
  links: repeat("[a](b) "),
  images: repeat("!["),
  definitions: repeat("[a]: b\n"),
  "initials in one line": repeat("A. "),
  "initials in lines": repeat("A.\n"),
  "periods without spaces": repeat("a."),
  arrows: repeat("-->\n"),
  "arrows in one line": repeat("1: --> "),
  "times without text": repeat("00:00:01,000 --> 00:00:02,000\n"),
  digits: repeat("1"),
  "lines of digits": repeat("1\n"),
  "one long line of words": repeat("word "),
  "one long word": repeat("x"),
  "Chinese without punctuation": repeat("你"),
  "combining marks": repeat("\u0301"),
  "nested quotations": repeat("> "),
  "lines of quotations": repeat("> a\n"),
  "nested lists": repeat("- "),
  "lists of growing depth": growingIndent,
  "lists that end": repeat("a\n- b\n\n"),
  "long lists": repeat("- a\n"),
  "mixed emphasis marks": repeat("*a_"),
  "unclosed emphasis": repeat("**a "),
  "marks of direction within a cue": (length) =>
    `1\n00:00:01,000 --> 00:00:02,000\na${"\u200e".repeat(length)}b\n`,
  "stray blocks": (length) =>
    `1\n00:00:01,000 --> 00:00:02,000\na\n\n${"stray\n\n".repeat(length / 7)}`,
  "a name without an end": (length) => `<p:sldId ${"a".repeat(length)}/>`,
  entities: repeat("&amp;"),
  "unclosed entities": repeat("&#"),
  "unclosed tags": repeat("<b "),
  tags: repeat("<b>"),
  "voice tags": repeat("<v A>x"),
  "unclosed braces": repeat("{\\"),
  "HTML comments": repeat("<!--"),
  tables: repeat("|a|b|\n|-|-|\n"),
  names: repeat("Ann: hi\n"),
  "many cues": cues("It is what it is. Ok then"),
  "cues without a period": cues("it is"),
  "cues of initials": cues("A."),
  "cues of numbers": cues("1. a"),
};

const groupSize = 6;
const groups = Object.entries(inputs).flatMap((first, index, all) =>
  index % groupSize === 0 ? [[first[0], all.slice(index, index + groupSize)] as const] : [],
);

const encoder = new TextEncoder();

const importAs = (name: string) => async (text: string) => {
  const bytes = encoder.encode(text);
  await readFile({ name, size: bytes.byteLength, arrayBuffer: async () => bytes.buffer });
};

/** Characters of a text. */
const length = 20_000;
/** Blocks of code for each of them: the slowest parser executes 340. One of quadratic time executes thousands. */
const maxSteps = 500;

/** Summaries with as many marks as are still rendered; the parser compares marks of a kind with each other. */
const fullSummaries: Record<string, string> = {
  emphasis: "*a_ ".repeat(1_490),
  "unclosed emphasis": "**a ".repeat(2_990),
  code: Array.from({ length: 250 }, (_, index) => `${"`".repeat(index % 19)}a `)
    .join("")
    .repeat(5),
  brackets: "[a]".repeat(2_990),
  "nested brackets": "[".repeat(20_000) + "]".repeat(2_990),
  quotations: "> a\n".repeat(990),
  lists: "a\n- b\n\n".repeat(990),
  "lists of growing depth": growingIndent(4_900),
  headings: "a\n=\n".repeat(195),
  tags: "<b ".repeat(1_490),
  lines: "a\n".repeat(4_990),
  characters: "a ".repeat(24_990),
};
/** Of 50,000 characters at most. */
const fullSummaryMaxSteps = 100_000_000;

const parsers: Record<string, (text: string) => unknown> = {
  "a text file": importAs("a.txt"),
  "a SubRip file": importAs("a.srt"),
  "a WebVTT file": importAs("a.vtt"),
  "a table": (text) =>
    readTable(text, { language: "en", target: "zh", origin: { kind: "table", name: "" } }),
  "the frequent terms of a file": (text) => proposeByFrequency([{ text }], "en", new Set()),
  "a summary on the page": (text) => renderToStaticMarkup(createElement(SafeMarkdown, { text })),
  "a summary in a file": parseSummary,
  "a title in a file": escapeMarkdown,
  "the text of a lecture without entries": (text) => pairTexts(text, text),
  "a searched text": (text) =>
    markMatches(text, toMatches(parseTerms("word 你你"), "<word> <a> <x>")),
  "a search query": (text) => markMatches("word a", toMatches(parseTerms(text), text)),
  "a recognised word": (text) =>
    addTokens(createPending(0, "en"), [{ text, is_final: true }], {
      finalMs: 1,
      endpoint: true,
      diarization: false,
      interim: "",
    }),
};

describe("counted", () => {
  let counter: ReturnType<typeof startStepCounter>;
  beforeAll(() => {
    counter = startStepCounter();
  });
  afterAll(() => counter.stop());

  it.each(Object.entries(fullSummaries))("renders a summary full of %s", async (_name, text) => {
    let page = "";
    const render = () => {
      page = renderToStaticMarkup(createElement(SafeMarkdown, { text }));
    };
    expect(await counter.count(render)).toBeLessThan(fullSummaryMaxSteps);
    // One that has too many is shown as plain text.
    expect(page).not.toContain("whitespace-pre-wrap");
  });

  describe.each(Object.entries(parsers))("%s", (_, parse) => {
    it.each(groups)("parses %s … in linear time", async (_first, group) => {
      const texts = group.map(([name, input]) => [name, input(length)] as const);
      // Reading the counters takes longer than most parsers: what all together do not exceed, none does.
      const together = await counter.count(async () => {
        for (const [, text] of texts) await parse(text);
      });
      if (together < maxSteps * length) return;
      for (const [name, text] of texts)
        expect(await counter.count(() => parse(text)), name).toBeLessThan(maxSteps * length);
    });
  });
});

it("reads the subtitles of a lecture of 12 hours", async () => {
  const clock = (second: number) => new Date(second * 1_000).toISOString().slice(11, 19);
  const sentence = "And so the light bends, as Dr. Snell found, wherever the glass begins.";
  const text = Array.from(
    { length: 12 * 60 * 15 },
    (_, index) =>
      `${index + 1}\n${clock(index * 4)},000 --> ${clock(index * 4 + 3)},500\n${sentence}\n`,
  ).join("\n");
  const bytes = encoder.encode(text);
  const reading = await readFile({
    name: "day.srt",
    size: bytes.byteLength,
    arrayBuffer: async () => bytes.buffer,
  });
  const rows = "file" in reading ? reading.file.single : [];
  expect(rows).toHaveLength(12 * 60 * 15);
  expect(rows.at(-1)).toMatchObject({ original: sentence, endMs: 12 * 3_600_000 - 500 });
});
