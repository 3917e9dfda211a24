import fc from "fast-check";
import { expect, test } from "vitest";
import { type AnswerPiece, isQuoted, readStatements } from "#shared/statements.ts";

const given = new Map([
  ["r1", ["The cell has a nucleus.", "细胞有细胞核。"]],
  ["r2", ["Mitochondria make most of the energy of the cell.", ""]],
]);

async function* toStream(pieces: readonly string[]) {
  yield* pieces;
}

async function read(...pieces: string[]): Promise<AnswerPiece[]> {
  const found: AnswerPiece[] = [];
  for await (const piece of readStatements(toStream(pieces), given)) found.push(piece);
  return found;
}

/** The statements that stay, and other objects. */
async function readWhole(...pieces: string[]) {
  const statements: { rows: string[]; quote: string; text: string }[] = [];
  const others: Record<string, unknown>[] = [];
  let open: (typeof statements)[number] | null = null;
  for (const piece of await read(...pieces)) {
    if (piece.kind === "begin") open = { rows: piece.rows, quote: piece.quote, text: "" };
    else if (piece.kind === "text" && open) open.text += piece.text;
    else if (piece.kind === "end" && open) statements.push(open);
    else if (piece.kind === "other") others.push(piece.value);
  }
  return { statements, others };
}

test("passes a statement's text on while it is written, once its rows are known", async () => {
  expect(
    await read('{"rows": ["r1"], "te', 'xt": "The cell', ' has a \\"nu', 'cleus\\"."}'),
  ).toEqual([
    { kind: "begin", rows: ["r1"], quote: "" },
    { kind: "text", text: "The cell" },
    { kind: "text", text: ' has a "nu' },
    { kind: "text", text: 'cleus".' },
    { kind: "end" },
  ]);
});

test.each([1, 2, 3, 5, 7, 200])("keeps the formulas of a text in pieces of %i", async (size) => {
  const written = String.raw`{"rows": ["r1"], "text": "So \(E = \frac{1}{2} \times \nu_1\) is \"it\"."}`;
  const pieces = written.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
  const { statements } = await readWhole(...pieces);
  expect(statements.map(({ text }) => text)).toEqual([
    String.raw`So \(E = \frac{1}{2} \times \nu_1\) is "it".`,
  ]);
});

test("reads statements with the text first, in a fence, in an array and over several lines", async () => {
  const answer =
    'Here:\n```json\n[\n  {\n "text": "One.",\n "rows": ["r1"] },\n{"rows":["r2","r2"],"quote":"most of  the energy","text":"Two."}]\n```';
  expect(await readWhole(answer)).toEqual({
    statements: [
      { rows: ["r1"], quote: "", text: "One." },
      { rows: ["r2"], quote: "most of  the energy", text: "Two." },
    ],
    others: [],
  });
});

test.each([
  ["a row that was not given", '{"rows": ["r1", "r9"], "text": "One."}'],
  ["no row", '{"rows": [], "text": "One."}'],
  ["rows that are no list", '{"rows": "r1", "text": "One."}'],
  ["a quotation of another row", '{"rows": ["r1"], "quote": "most of the energy", "text": "One."}'],
  [
    "a quotation that is changed",
    '{"rows": ["r1"], "quote": "The cell has nucleus", "text": "One."}',
  ],
  ["no letter", '{"rows": ["r1"], "text": "…"}'],
  ["broken JSON", '{"rows": ["r1"], "text": "One.",,}'],
])("leaves out a statement with %s", async (_, answer) => {
  expect((await readWhole(answer)).statements).toEqual([]);
});

test("withdraws a statement whose text quotes what its rows do not say", async () => {
  const pieces = await read('{"rows": ["r1"], "text": "It says “the cell has no nucleus”."}');
  expect(pieces.at(-1)).toEqual({ kind: "drop" });
  const kept = '{"rows": ["r1"], "text": "It says “The cell has a nucleus.”"}';
  expect((await readWhole(kept)).statements).toHaveLength(1);
});

test("withdraws a statement that is cut off, and one without end", async () => {
  expect((await read('{"rows": ["r1"], "text": "The cell')).at(-1)).toEqual({ kind: "drop" });
  const endless = `{"rows": ["r1"], "text": "${"The cell. ".repeat(2_000)}"}`;
  const found = await readWhole(endless, '{"rows": ["r2"], "text": "Two."}');
  expect(found.statements).toEqual([{ rows: ["r2"], quote: "", text: "Two." }]);
});

test("passes no control character on, which a database may refuse", async () => {
  const statement = '{"rows": ["r1"], "text": "The\\u0000 cell\\u0007\\nhas one."}';
  for (const pieces of [[statement], [...statement]])
    expect((await readWhole(...pieces)).statements[0]?.text).toBe("The cell has one.");
});

test("cuts a long text between characters, because a database refuses half of one", async () => {
  const statement = JSON.stringify({ rows: ["r1"], text: `${"a".repeat(999)}😀 and more` });
  for (const pieces of [[statement], Array.from(statement)])
    expect((await readWhole(...pieces)).statements[0]?.text).toBe("a".repeat(999));
});

test("passes other objects on", async () => {
  const { others } = await readWhole('{"search": "mitochondria"}', '{"rows":["r1"],"text":"One."}');
  expect(others).toEqual([{ search: "mitochondria" }]);
});

test("compares quotations by their words", () => {
  expect(isQuoted("has a\nnucleus", given.get("r1") ?? [])).toBe(true);
  expect(isQuoted("有细胞核", given.get("r1") ?? [])).toBe(true);
  expect(isQuoted("has the nucleus", given.get("r1") ?? [])).toBe(false);
});

test("reads the same however the answer is cut, and never a row that was not given", async () => {
  const id = fc.constantFrom("r1", "r2", "r3", "");
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  const object = fc.oneof(
    fc.record({ rows: fc.array(id, { maxLength: 3 }), text }).map((one) => JSON.stringify(one)),
    fc.record({ text, rows: fc.array(id, { maxLength: 3 }) }).map((one) => JSON.stringify(one)),
    text,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { maxLength: 6 }),
      fc.array(fc.nat(200), { maxLength: 12 }),
      async (objects, cuts) => {
        const answer = objects.join("\n");
        const ends = [...cuts.filter((cut) => cut < answer.length), answer.length].sort(
          (a, b) => a - b,
        );
        const pieces = ends.map((end, n) => answer.slice(ends[n - 1] ?? 0, end));
        const whole = await readWhole(answer);
        expect(await readWhole(...pieces)).toEqual(whole);
        for (const { rows } of whole.statements) {
          expect(rows.length).toBeGreaterThan(0);
          expect(rows.every((row) => given.has(row))).toBe(true);
        }
      },
    ),
  );
});
