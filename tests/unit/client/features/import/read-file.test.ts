import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { toText } from "#client/features/export/files/text.ts";
import { rowsMax } from "#client/features/import/imported-rows.ts";
import {
  fileMaxBytes,
  type ImportedFile,
  readFile,
  swapLanguages,
} from "#client/features/import/read-file.ts";
import { encodeText, encodeUtf16 } from "#tests/fixtures/encode-text.ts";
import {
  anyRows,
  createExportedLecture,
  fileLabels,
  row,
} from "#tests/unit/client/features/export/sample-lectures.ts";

type Content = string | Uint8Array<ArrayBuffer>;

async function read(name: string, content: Content): Promise<ImportedFile> {
  const reading = await readFile(new File([content], name));
  if (!("file" in reading)) throw new Error(`Refused: ${JSON.stringify(reading.error)}`);
  return reading.file;
}

const original = (file: ImportedFile) => file.single.map((row) => row.original);
const timed = (file: ImportedFile) =>
  file.single.map((row) => [row.original, row.startMs, row.endMs]);

type Cue = [fromSeconds: number, toSeconds: number, text: string];
const srt = (...cues: Cue[]) =>
  cues
    .map(([from, to, text], at) => `${at + 1}\n00:00:${from},000 --> 00:00:${to},000\n${text}\n`)
    .join("\n");

const utf16 = (text: string, little: boolean) => {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, little);
  for (let at = 0; at < text.length; at += 1)
    view.setUint16(2 + at * 2, text.charCodeAt(at), little);
  return bytes;
};

describe("a file that is not Unicode", () => {
  it.each([
    ["gb18030", "第一讲 熵与信息", "zh"],
    ["big5", "今天我們討論熱力學第二定律", "zh"],
    ["euc-kr", "첫 번째 강의: 회로와 정보", "ko"],
    ["shift_jis", "第一回 エントロピーと情報", "ja"],
    ["windows-1252", "Die Übertragung der Größe ändert sich für später.", "de"],
    ["windows-1251", "Сегодня мы говорим об энтропии.", "ru"],
  ] as const)(
    "is imported with its words and its language, from %s",
    async (encoding, text, spoken) => {
      for (const name of ["a.srt", "a.vtt", "a.txt"]) {
        const start = name === "a.vtt" ? "WEBVTT\n\n" : "";
        const content = name === "a.txt" ? text : start + srt([1, 4, text]);
        const file = await read(name, encodeText(content, encoding));
        expect(file).toMatchObject({ sourceLanguage: spoken, encoding });
        expect(original(file)).toEqual([text]);
        expect(file.otherEncodings.length).toBeGreaterThan(0);
      }
    },
  );

  it.each([true, false])("is imported from UTF-16 without a mark: %s", async (isLittle) => {
    const text = "第一讲 熵与信息";
    expect(original(await read("a.srt", encodeUtf16(srt([1, 4, text]), isLittle)))).toEqual([text]);
  });
});

describe("the mark of the demo voice in our own files", () => {
  const marks = {
    en: "Demo: contains text of the sample lecture, not what was said.",
    zh: "演示：含有示例课堂的文字，并非实际说的话。",
  };
  const rows = [
    row({ original: "Good morning.", translated: "早上好。", startMs: 500, endMs: 1_500 }),
    row({ original: "One idea.", translated: "一个想法。", startMs: 2_000, endMs: 3_000 }),
  ];

  const extensions = ["srt", "vtt", "txt"] as const;
  const files = extensions.flatMap((one) => [["en", one] as const, ["zh", one] as const]);
  it.each(files)("is kept, and is no row, in %s in .%s", async (language, extension) => {
    const lecture = createExportedLecture(rows, { demoMark: marks[language] });
    const write = {
      srt: () => toSrt(lecture, "both"),
      vtt: () => toVtt(lecture, "both", fileLabels.date),
      txt: () => toText(lecture, "both", fileLabels),
    }[extension];
    const file = await read(`lecture.${extension}`, write());
    expect(file).toMatchObject({ hasDemoText: true, problems: [] });
    const texts = [...file.single, ...(file.bilingual?.rows ?? [])];
    expect(JSON.stringify(texts)).not.toContain(marks[language]);
    expect(JSON.stringify(texts)).toContain("One idea.");
    if (extension !== "txt") expect(file.bilingual?.rows).toHaveLength(2);
  });

  it("is not found in other files", async () => {
    const plain = await read("a.srt", srt([1, 3, `She read: ${marks.en}`]));
    expect(plain.hasDemoText).toBe(false);
    expect(original(plain).join(" ")).toContain("sample lecture");
  });
});

describe("subtitles", () => {
  it("become sentences with the times of their words", async () => {
    const text = srt(
      [1, 3, "So today we are going"],
      [3, 5, "to talk. About Dr. Smith"],
      [5, 7, "and the others."],
      [50, 51, "Later"],
    );
    const rows = timed(await read("talk.srt", text));
    expect(rows.map(([text]) => text)).toEqual([
      "So today we are going to talk.",
      "About Dr. Smith and the others.",
      "Later",
    ]);
    expect(rows[0]?.[1]).toBe(1_000);
    expect(rows[0]?.[2]).toBeGreaterThan(3_000);
    expect(rows[1]?.[1]).toBeGreaterThanOrEqual(Number(rows[0]?.[2]));
    expect(rows[1]?.[2]).toBe(7_000);
    expect(rows[2]).toEqual(["Later", 50_000, 51_000]);
  });

  it("keep their cues without punctuation", async () => {
    const cues = Array.from({ length: 20 }, (_, at): Cue => [at, at + 1, `line ${at}`]);
    expect(original(await read("a.srt", srt(...cues)))).toHaveLength(20);
  });

  it("accept variants: line ends, byte order marks, points for commas, no hours", async () => {
    const text = "1\n0:01.5 --> 00:02.000 X1:40\nHello — 你好.\n";
    const expected = [["Hello — 你好.", 1_500, 2_000]];
    for (const content of [
      text,
      text.replaceAll("\n", "\r\n"),
      text.replaceAll("\n", "\r"),
      new TextEncoder().encode(`\ufeff${text}`),
      utf16(text, true),
      utf16(text, false),
    ])
      expect(timed(await read("a.srt", content))).toEqual(expected);
  });

  it("lose their tags, but keep voices and entities", async () => {
    const vtt = `WEBVTT - a talk
Kind: captions

STYLE
::cue { color: red }

NOTE nothing
of this is said

intro
00:01.000 --> 00:04.000 align:start
<v.loud Ann>Fish &amp; <i>chips</i> cost &lt;5.</v> <v Bob><c.x>Indeed</c> <00:00:02.000>they do.

00:05.000 --> 00:06.000
&lrm;I <3 it.
`;
    const { single, problems } = await read("a.vtt", vtt);
    expect(problems).toEqual([]);
    expect(single.map((row) => [row.speaker, row.original.replace("\u200e", "")])).toEqual([
      ["Ann", "Fish & chips cost <5."],
      ["Bob", "Indeed they do."],
      [null, "I <3 it."],
    ]);
    expect(single[1]?.startMs).toBeGreaterThan(1_000);
    expect(single[1]?.endMs).toBe(4_000);
  });

  it("report malformed parts by line and keep their text", async () => {
    const malformed = `preface

1
00:00:01,000 --> 00:00:02,000
One.

still one.

2
00:00:xx,000 --> 00:00:04,000
Two.

3
00:00:06,000 --> 00:00:05,000
Three.

4
Four, without times.

5
00:00:08,000 --> 00:00:09,000

6
00:00:10,000 --> 00:00:11,000
Six goes --> on.
7
00:00:11,000 --> 00:00:12,000
Seven.
8
00:99:11,000 --> 00:99:12,000
Eight.
`;
    const file = await read("a.srt", malformed);
    const text = original(file).join(" ");
    const parts = ["preface", "One.", "still one.", "Two.", "Three.", "Four,", "Six goes --> on."];
    for (const part of [...parts, "Seven. Eight."]) expect(text).toContain(part);
    expect(file.problems).toEqual([
      { line: 1, kind: "stray" },
      { line: 7, kind: "stray" },
      { line: 10, kind: "times" },
      { line: 14, kind: "order" },
      { line: 17, kind: "times" },
      { line: 21, kind: "empty" },
      { line: 30, kind: "times" },
    ]);
    expect(timed(file)).toContainEqual(["Seven.", 11_000, 12_000]);
    expect(timed(file)).toContainEqual(["Three.", 6_000, 6_000]);
    expect(timed(file)).toContainEqual(["Two.", 0, 0]);
  });

  it("report a missing WebVTT header and are read anyway", async () => {
    const file = await read("a.vtt", "00:01.000 --> 00:02.000\nHi.\n");
    expect(file.problems).toEqual([{ line: 1, kind: "header" }]);
    expect(timed(file)).toEqual([["Hi.", 1_000, 2_000]]);
  });

  it("of our own export are read back with every word", async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.constantFrom("srt", "vtt"), async (rows, format) => {
        const [first] = rows;
        // Where every row is a tag, SubRip would be an empty file.
        const plain = first ? [{ ...first, original: "The end." }] : [];
        const own = [...rows, ...plain].map((one) => ({ ...one, translated: "" }));
        const lecture = createExportedLecture(own);
        const text =
          format === "srt"
            ? toSrt(lecture, "original")
            : toVtt(lecture, "original", fileLabels.date);
        const file = await read(`a.${format}`, text);
        const squeezed = (parts: readonly string[]) => parts.join("").replace(/\s+/g, "");
        // A name or a tag in somebody's words may be read as one where the format has no other way.
        if (format === "vtt") {
          expect(squeezed(original(file))).toBe(squeezed(own.map((row) => row.original)));
          expect(new Set(file.single.map((row) => row.speaker))).toEqual(
            new Set(own.map((row) => row.speaker)),
          );
        }
        expect(file.problems.filter((problem) => problem.kind !== "empty")).toEqual([]);
        for (const row of file.single) expect(row.endMs).toBeGreaterThanOrEqual(row.startMs);
      }),
    );
  });
});

describe("a bilingual file", () => {
  it("may have the translation first, and cues in one language", async () => {
    const text = srt(
      [1, 2, "大家好。\nHello everybody."],
      [2, 3, "Thanks."],
      [3, 4, "我们开始。\nLet us begin."],
    );
    const { bilingual } = await read("a.srt", text);
    expect(bilingual?.language).toBe("zh-cn");
    expect(bilingual?.rows.map((row) => [row.original, row.translated])).toEqual([
      ["Hello everybody.", "大家好。"],
      ["Thanks.", ""],
      ["Let us begin.", "我们开始。"],
    ]);
  });

  it.each([[0, 1] as const, [1, 0] as const])(
    "keeps sentences without letters apart, the lines in order %i, %i",
    async (first, second) => {
      const pairs = [
        ["Hello everybody.", "大家好。"],
        ["Forty-two percent.", "42%。"],
        ["Let us begin.", "我们开始。"],
        ["1, 2, 3.", "一二三。"],
        ["Thanks.", "谢谢。"],
      ] as const;
      const cues = pairs.map((pair, n): Cue => [n + 1, n + 2, `${pair[first]}\n${pair[second]}`]);
      const { bilingual } = await read("a.srt", srt(...cues));
      expect(bilingual?.rows.map((row) => [row.original, row.translated])).toEqual(pairs);
    },
  );

  it("keeps two lines that are numbers apart", async () => {
    const text = srt([1, 2, "Hello everybody.\n大家好。"], [2, 3, "1984.\n1984。"]);
    const { bilingual } = await read("a.srt", text);
    expect(bilingual?.rows[1]).toMatchObject({ original: "1984.", translated: "1984。" });
  });

  it.each([
    [
      ["de", "en"],
      [
        ["Das ist nicht alles, was wir haben.", "That is not all that we have."],
        ["Und es wird noch mehr.", "And there will be more of it."],
      ],
    ],
    [
      ["en", "it"],
      [
        ["That is not all that we have.", "Non è tutto quello che abbiamo."],
        ["And there will be more of it.", "E ci sono anche molte altre cose."],
      ],
    ],
    [
      ["ja", "de"],
      [
        ["皆さん、おはようございます。", "Guten Morgen, und das ist für Sie."],
        ["始めましょう。", "Wir sind nicht die Ersten."],
      ],
    ],
    [
      ["fr", "ru"],
      [
        ["Ce sont les équations que nous avons.", "Это уравнения."],
        ["Et c'est tout pour vous.", "И это всё."],
      ],
    ],
  ] as const)(
    "may have any two languages, the original first: %j",
    async ([source, target], pairs) => {
      const text = srt(
        ...pairs.map((lines, n) => [n + 1, n + 2, lines.join("\n")] as [number, number, string]),
      );
      const file = await read("a.srt", text);
      expect(file).toMatchObject({ sourceLanguage: source });
      expect(file.bilingual).toMatchObject({ sourceLanguage: source, language: target });
      expect(file.bilingual?.rows.map((row) => [row.original, row.translated])).toEqual(pairs);
    },
  );

  it("is turned round where its second language was spoken", async () => {
    const text = srt([1, 2, "大家好。\nHello everybody."], [2, 3, "我们开始。\nLet us begin."]);
    const { bilingual } = await read("a.srt", text);
    expect(bilingual?.sourceLanguage).toBe("en");
    const swapped = bilingual && swapLanguages(bilingual);
    expect(swapped).toMatchObject({ sourceLanguage: "zh", language: "en" });
    expect(swapped?.rows[0]).toMatchObject({
      original: "大家好。",
      translated: "Hello everybody.",
    });
    expect(swapped && swapLanguages(swapped)).toEqual(bilingual);
  });

  it("has its speakers before the first line of a cue, whichever language that is in", async () => {
    const text = srt(
      [1, 2, "王老师: 大家好。\nHello everybody."],
      [2, 3, "Alexandra: 开始。\nLet us begin."],
    );
    const { bilingual } = await read("a.srt", text);
    expect(bilingual?.rows.map((row) => [row.speaker, row.original, row.translated])).toEqual([
      ["王老师", "Hello everybody.", "大家好。"],
      ["Alexandra", "Let us begin.", "开始。"],
    ]);
  });

  it("is not detected in two-line English cues", async () => {
    const lines = "The first part of what is said\nand the rest of it with more.";
    const text = srt([1, 2, lines], [2, 3, lines], [3, 4, lines]);
    expect((await read("a.srt", text)).bilingual).toBeNull();
  });
});

describe("plain text", () => {
  it("becomes sentences with speakers", async () => {
    const text = `S1: Hello everybody. This is Dr. Jones, e.g. a test!

It goes on in a line that was broken because it was too long
to fit the window. Done

[S2] A question?
Note: this is no name.
1. A list
`;
    const { single } = await read("My talk.v2.txt", text);
    expect(single.map((row) => [row.speaker, row.original])).toEqual([
      ["S1", "Hello everybody."],
      ["S1", "This is Dr. Jones, e.g. a test!"],
      ["S1", "It goes on in a line that was broken because it was too long to fit the window."],
      ["S1", "Done"],
      ["S2", "A question?"],
      ["S2", "Note: this is no name."],
      ["S2", "1. A list"],
    ]);
    expect(single.every((row) => row.startMs === 0 && row.endMs === 0)).toBe(true);
    expect((await read("My talk.v2.txt", text)).title).toBe("My talk.v2");
  });

  it("recognises the names of a dialogue", async () => {
    const text = "Ann: Hello.\nBob Lee: Hi. How are you?\nAnn: Fine.\nBob Lee: Good.\n";
    expect((await read("a.txt", text)).single.map((row) => row.speaker)).toEqual([
      "Ann",
      "Bob Lee",
      "Bob Lee",
      "Ann",
      "Bob Lee",
    ]);
  });

  it("loses no word of a long text without punctuation", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("word", "a.", "b?", "\n", "\n\n", "长", "😀"), {
          minLength: 1,
          maxLength: 60,
        }),
        async (parts) => {
          const text = `x ${parts.join(" ")}`;
          const all = original(await read("a.txt", text)).join(" ");
          expect(all.replace(/\s+/g, "")).toBe(text.replace(/\s+/g, ""));
        },
      ),
    );
    const endless = "😀".repeat(9_000);
    const rows = original(await read("a.txt", endless));
    expect(rows.join("")).toBe(endless);
    expect(rows.every((row) => row.length <= 5_000 && row.isWellFormed())).toBe(true);
  });
});

it.each([
  ["a.docx", "Hello.", "kind"],
  ["srt", "Hello.", "kind"],
  ["a.txt", " \n\n ", "empty"],
  ["a.vtt", "WEBVTT\n\n", "empty"],
  ["a.txt", "a\0b", "encoding"],
  ["a.txt", utf16("ab", true).slice(0, 5), "encoding"],
  ["a.txt", new Uint8Array(fileMaxBytes + 1), "size"],
  ["a.txt", "Yes.\n".repeat(rowsMax + 1), "rows"],
  ["a.txt", "Hi! ".repeat(rowsMax + 1), "rows"],
  ["a.txt", "a\n".repeat(300_001), "rows"],
  ["a.srt", `1\n00:00:01,000 --> 00:00:02,000\nYes.\n\n`.repeat(rowsMax + 1), "rows"],
  ["a.srt", "a\n\n".repeat(300_001), "rows"],
])("refuses an invalid file with the reason: %#", async (name, content, reason) => {
  expect(await readFile(new File([content], name))).toEqual({ error: { reason } });
});

it("names the first hundred places that are wrong, and how many there are", async () => {
  const { problems, problemCount } = await read("a.srt", `${"1\n\n".repeat(5_000)}Text.`);
  expect(problems).toHaveLength(100);
  expect(problems[0]).toEqual({ line: 1, kind: "empty" });
  expect(problemCount).toBe(5_001);
});
