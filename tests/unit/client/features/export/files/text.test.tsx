// @vitest-environment happy-dom
import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import { beforeAll, describe, expect, it } from "vitest";
import { countUntranslated, toExportedLecture } from "#client/features/export/exported-lecture.ts";
import type { SlideToExport } from "#client/features/export/exported-slides.ts";
import { toMarkdown, toText } from "#client/features/export/files/text.ts";
import { parseSummary, type SummaryText } from "#client/features/export/summary-blocks.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import { escapeMarkdown } from "#client/lib/escape-markdown.ts";
import { oneLine } from "#client/lib/text.ts";
import type { Lecture } from "#shared/lecture.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import {
  createExportedLecture,
  createLecture,
  fileLabels,
  row,
  sayings,
} from "#tests/unit/client/features/export/sample-lectures.ts";

const rows = [
  row({ speaker: "Ann", original: "One.", translated: "一。" }),
  row({ speaker: "Ann", original: "Two." }),
  row({ speaker: "Bob", original: "Three.", translated: "三。" }),
];
const lecture = createExportedLecture(rows, { summary: "- A *point*" });

const html = (text: string) => renderToStaticMarkup(<Markdown>{text}</Markdown>);

describe("plain text", () => {
  it("lists pairs, with names where the speaker changes", () => {
    expect(toText(lecture, "both", fileLabels)).toBe(
      "Machine Learning\nNov 20, 2026, 3:05 PM\n\n- A *point*\n\nAnn: One.\n一。\n\nTwo.\n\nBob: Three.\n三。\n",
    );
  });

  it("falls back to the other language per row", () => {
    expect(toText(createExportedLecture(rows), "translation", fileLabels)).toBe(
      "Machine Learning\nNov 20, 2026, 3:05 PM\n\nAnn: 一。\nTwo.\nBob: 三。\n",
    );
    expect(countUntranslated(lecture)).toBe(1);
  });
});

describe("spoken formulas", () => {
  const formulas = [{ words: "x *squared*", tex: "x^2" }];
  const spoken = createExportedLecture([row({ original: "Take x *squared*.", formulas })]);

  it("stand below their sentence with their words, as they are written", () => {
    expect(toText(spoken, "both", fileLabels)).toContain(
      "Take x *squared*.\n$x^2$ – x *squared*\n",
    );
    expect(toMarkdown(spoken, "both", fileLabels)).toContain("\n\n- $x^2$ – x \\*squared\\*\n");
  });

  it("are those whose words the sentence has", () => {
    const entry = { original: "Take y.", translated: "", startMs: 0, endMs: 900, formulas };
    expect(toExportedLecture(createLecture([entry]), "Untitled").rows[0]?.formulas).toEqual([]);
  });
});

describe("the mark of the demo voice", () => {
  const entry = { original: "One.", translated: "一。", startMs: 0, endMs: 900 };
  const mark = "Demo: contains text of the sample lecture, not what was said.";
  const toMarked = () =>
    toExportedLecture(createLecture([entry], { hasDemoText: true, summary: "Sum." }), "Untitled");

  beforeAll(() => showLanguage("en"));

  it("stands between the date and everything that was written", () => {
    expect(toText(toMarked(), "original", fileLabels)).toMatch(
      new RegExp(`^.*\\n${fileLabels.date}\\n\\n${mark}\\n\\nSum\\.\\n\\nOne\\.\\n$`),
    );
    const [, head = ""] = toMarkdown(toMarked(), "original", fileLabels).split(fileLabels.date);
    expect(head.startsWith(`\n\n**${mark}**\n\n## Summary\n\nSum.`)).toBe(true);
  });

  it("is in the interface's language, and missing where nothing is the demo's", async () => {
    await showLanguage("zh");
    expect(toText(toMarked(), "original", fileLabels)).toContain("演示：");
    await showLanguage("en");
    const plain = toExportedLecture(createLecture([entry]), "Untitled");
    expect(toText(plain, "original", fileLabels)).not.toContain("Demo");
  });
});

describe("marks and notes", () => {
  const entry = { original: "One.", translated: "一。", startMs: 0, endMs: 900 };
  const mark = (atMs: number, note: string) => ({ id: note || "m", atMs, position: null, note });
  const marked = toExportedLecture(
    createLecture([entry, { ...entry, startMs: 1_000, endMs: 1_900 }], {
      marks: [mark(500, "# Ask\nwhy"), mark(1_500, "")],
    }),
    "Untitled",
  );

  it("are shown with their sentences in plain text and in Markdown", () => {
    expect(toText(marked, "both", fileLabels)).toContain(
      "⚑ One.\n一。\nNote: # Ask why\n\n⚑ One.\n一。\n",
    );
    const [, ...blocks] = html(toMarkdown(marked, "original", fileLabels)).split("\n<p>⚑ ");
    expect(blocks).toEqual([
      "One.</p>\n<ul>\n<li><strong>Note:</strong> # Ask why</li>\n</ul>",
      "One.</p>",
    ]);
  });
});

describe("slides", () => {
  const times = [0, 1_000].map((startMs) => ({ startMs, endMs: startMs + 900 }));
  const entries = ["One.", ""].map((original, n) => ({ original, translated: "", ...times[n] }));
  const stored = createLecture(entries);
  const slide = (change: Partial<SlideToExport>): SlideToExport => ({
    ...{ id: "s", rowId: null, atMs: null, page: null, text: "", width: 16, height: 9 },
    picture: { type: "image/png", data: new Uint8Array([1, 2, 3]) },
    ...change,
  });
  const shown = [
    slide({ page: 1 }),
    slide({ atMs: 500, text: "[x](y)\nmore" }),
    slide({ rowId: stored.entries[1]?.id ?? "" }),
  ];
  const made = toExportedLecture(stored, "Untitled", [], shown);

  it("stand at their sentences, with their pictures at the end of the file", () => {
    const [text = "", ...pictures] = toMarkdown(made, "original", fileLabels).split(
      /\n\[(?=slide)/,
    );
    expect(text.split(fileLabels.date)[1]?.trim().split("\n\n")).toEqual([
      "![Slide 1][slide-1]",
      "One.",
      String.raw`![Slide: \[x\](y)][slide-2]`,
      "![Slide][slide-3]",
    ]);
    expect(pictures).toHaveLength(3);
    expect(pictures[2]).toBe("slide-3]: data:image/png;base64,AQID\n");
  });

  it("are no part of plain text", () => {
    expect(toText(made, "original", fileLabels)).toMatch(/\n\nOne\.\n$/);
  });
});

describe("Markdown", () => {
  it("is rendered by another program as it was said", () => {
    const shown = html(toMarkdown(lecture, "both", fileLabels));
    expect(shown).toBe(
      [
        "<h1>Machine Learning</h1>",
        "<p>Nov 20, 2026, 3:05 PM</p>",
        "<h2>Summary</h2>",
        "<ul>\n<li>A <em>point</em></li>\n</ul>",
        "<h2>Transcript</h2>",
        "<p><strong>Ann:</strong> One.</p>",
        "<blockquote>\n<p>一。</p>\n</blockquote>",
        "<p>Two.</p>",
        "<p><strong>Bob:</strong> Three.</p>",
        "<blockquote>\n<p>三。</p>\n</blockquote>",
      ].join("\n"),
    );
  });

  it("escapes any text", () => {
    const text = fc.oneof(sayings, fc.string({ unit: "binary-ascii" })).map(oneLine);
    fc.assert(
      fc.property(text, (said) => {
        const expected = said === "" ? "" : renderToStaticMarkup(<p>{said}</p>);
        expect(html(escapeMarkdown(said))).toBe(expected);
      }),
      { numRuns: countRuns(1_000) },
    );
  });
});

describe("what is to be done", () => {
  const item = { id: "a", rows: [], isDone: false, byHand: false };
  const agreed = toExportedLecture(
    createLecture([{ original: "One.", translated: "一。" }], {
      actionItems: [
        { ...item, task: "Send *all* slides", who: "Ann", due: "by Friday", dueOn: "2026-05-08" },
        { ...item, task: "订会议室", who: null, due: null, dueOn: null, isDone: true },
      ],
    }),
    "Untitled",
  );

  it("stands before the transcript, with names and days", () => {
    expect(toText(agreed, "original", fileLabels)).toContain(
      "\n\nTo do\n☐ Send *all* slides (Ann, 2026-05-08, “by Friday”)\n☑ 订会议室\n\nOne.\n",
    );
    expect(toMarkdown(agreed, "original", fileLabels)).toContain(
      "## To do\n\n- [ ] Send \\*all\\* slides (Ann, 2026-05-08, “by Friday”)\n- [x] 订会议室\n\n## Transcript\n\nOne.",
    );
  });
});

describe("gaps", () => {
  beforeAll(() => Promise.all([showLanguage("en"), gapMessages.load()]));
  const first = "1 min 5 s without sound: the device had muted the microphone";
  const later = "No sound from here: the source of the sound was gone";
  const wordless = "Not recognized, 0:03 to 0:05";
  const createDocument = () => {
    const take: Lecture["takes"][number] = {
      id: crypto.randomUUID(),
      startedAt: 0,
      codec: "opus",
      capturedMs: 9_000,
      acknowledgedMs: 9_000,
      transcribedMs: 9_000,
      missingMs: 0,
      gaps: [
        { atMs: 2_500, lengthMs: null, reason: "disconnected" },
        { atMs: 500, lengthMs: 65_000, reason: "muted" },
        { atMs: 3_100, lengthMs: 1_200, reason: "noWords" },
      ],
    };
    const rows = ["One.", " ", "Two."].map((original, at) => ({
      original,
      startMs: (at + 1) * 1_000,
      endMs: (at + 1) * 1_000 + 9,
    }));
    return toExportedLecture(createLecture(rows, { takes: [take] }), "Untitled");
  };

  it("belong to the row before them that has a text", () => {
    const made = createDocument();
    expect(made.gaps).toEqual([first]);
    expect(made.rows.map(({ original, gaps }) => [original, ...gaps])).toEqual([
      ["One.", later],
      ["Two.", wordless],
    ]);
  });

  it("are shown between the rows in plain text and in Markdown", () => {
    expect(toText(createDocument(), "original", fileLabels)).toContain(
      `\n[${first}]\nOne.\n[${later}]\nTwo.\n[${wordless}]\n`,
    );
    expect(html(toMarkdown(createDocument(), "original", fileLabels))).toContain(
      `<p><em>${first}</em></p>\n<p>One.</p>\n<p><em>${later}</em></p>\n<p>Two.</p>\n<p><em>${wordless}</em></p>`,
    );
  });
});

describe("toExportedLecture", () => {
  it("names speakers, and drops placeholders of translations", () => {
    const made = toExportedLecture(
      createLecture(
        [
          { original: "A\n b", translated: "[Translation Failed]", speaker: "1", endMs: 5 },
          { original: "C", translated: "丙", translatedInto: "zh", speaker: "2", endMs: 9 },
          { original: " ", translated: "" },
        ],
        { title: " ", speakerNames: { 1: "Ann" }, summary: " \n" },
      ),
      "Untitled",
    );
    expect(made.title).toBe("Untitled");
    expect(made.summary).toBeNull();
    expect(made.rows.map((one) => [one.original, one.translated, one.speaker])).toEqual([
      ["A b", "", "Ann"],
      ["C", "丙", "S2"],
    ]);
    expect(made.rows.map((one) => one.language.lang)).toEqual(["zh-Hans", "zh-Hant"]);
  });

  it("pairs the texts of a lecture without entries", () => {
    const made = toExportedLecture(
      createLecture([], { originalText: "One. Two.", translatedText: "一。" }),
      "Untitled",
    );
    expect(made.rows.map((one) => [one.original, one.translated])).toEqual([
      ["One.", "一。"],
      ["Two.", ""],
    ]);
  });
});

const readTexts = (summary: string) =>
  parseSummary(summary).filter((block): block is SummaryText => block.kind !== "table");

describe("parseSummary", () => {
  it("splits a summary into headings, items and paragraphs", () => {
    const blocks = readTexts("## H\n\n1. one\n   goes on\n  - **two** x\n\nA\nB\n\n---\n> C `d`");
    expect(
      blocks.map((block) => [
        block.kind,
        block.marker,
        block.depth,
        block.runs.map((run) => (run.bold ? `<${run.text}>` : run.text)).join(""),
      ]),
    ).toEqual([
      ["heading", "", 0, "H"],
      ["item", "1.", 0, "one goes on"],
      ["item", "•", 1, "<two> x"],
      ["paragraph", "", 0, "A B"],
      ["paragraph", "", 0, "C d"],
    ]);
  });
});

interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

/** What a parser of Markdown finds. */
function listNodes(markdown: string): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  const visit = (node: MarkdownNode) => {
    nodes.push(node);
    node.children?.forEach(visit);
  };
  renderToStaticMarkup(<Markdown remarkPlugins={[() => visit]}>{markdown}</Markdown>);
  return nodes;
}

const writeSummary = (summary: string) =>
  toMarkdown(createExportedLecture([row()], { summary }), "original", fileLabels);

describe("HTML in a summary", () => {
  it.each([
    "<script>alert(1)</script>",
    "A <img src=x onerror=alert(1)> picture",
    "- <svg onload=alert(1)>",
    "<!-- --><iframe src=javascript:alert(1)>",
    "\\\\<script>alert(1)</script>",
    "`a\n`<script>alert(1)</script>`",
    "\\`<script>alert(1)</script>`",
    "> ```\n<script>alert(1)</script>",
    "``a`<script>alert(1)</script>``` `",
    "<https://a`><script>alert(1)</script>`",
  ])("is text in a Markdown file, whatever shows that: %j", (summary) => {
    const tokens = listNodes(writeSummary(summary));
    expect(tokens.filter(({ type }) => type === "html")).toEqual([]);
  });

  it("stays in code, and what is no tag stays as it was", () => {
    const text = "`vector<int>` holds a < b, 1 <2, and `` `<b>` ``.";
    expect(writeSummary(text)).toContain(text);
  });

  it("is shown as it was written", () => {
    const text = "Use vector<int> and <b>bold</b>.";
    expect(listNodes(writeSummary(text)).map(({ value }) => value)).toContain(text);
  });
});

describe("a table in a summary", () => {
  it.each([
    "| Term | Meaning |\n| --- | :-: |\n| **entropy** | a \\| b |\n| heat |",
    "Term | Meaning\n---|---\n**entropy** | a \\| b\nheat |",
  ])("is a table of cells: %j", (table) => {
    const [before, found, after] = parseSummary(`Before\n\n${table}\n\nAfter`);
    const plain = (text: string) => (text === "" ? [] : [{ text, bold: false }]);
    expect(found).toEqual({
      kind: "table",
      head: [plain("Term"), plain("Meaning")],
      rows: [
        [[{ text: "entropy", bold: true }], plain("a | b")],
        [plain("heat"), plain("")],
      ],
    });
    expect([before?.kind, after?.kind]).toEqual(["paragraph", "paragraph"]);
  });

  it.each(["a | b", "| a | b |\n| c | d |", "a | b\n---", "|x|\n\n|---|"])(
    "is not any text with pipes: %j",
    (text) => {
      expect(parseSummary(text).every(({ kind }) => kind !== "table")).toBe(true);
    },
  );
});
