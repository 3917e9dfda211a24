import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareExchanges, createExchange } from "#bench/rehearse/exchange.ts";
import recorded from "#bench/rehearse/recorded.json" with { type: "json" };
import { compareShapes, toShape } from "#bench/rehearse/shape.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const vocabulary = new Set(["type"]);

describe("the shape of answers", () => {
  it("has the types of each field, and of words of the wire their values", () => {
    const shape = toShape(
      [{ type: "Results", words: [{ text: " one", start: 1 }, { text: " two" }], end: null }],
      vocabulary,
    );
    expect(shape).toEqual({
      "": ["object"],
      end: ["null"],
      type: ['"Results"'],
      words: ["list"],
      "words[]": ["object"],
      "words[].start": ["absent", "number"],
      "words[].text": ["string"],
    });
  });

  it("has no text that a service sent", () => {
    const secret = fc.string({ minLength: 8 }).filter((text) => !/^[\w.-]+$/.test(text));
    const body = (text: string) => ({
      type: `${text}@example.org`,
      text,
      list: [text, { text: { deeper: text } }],
    });
    fc.assert(
      fc.property(secret, (text) => {
        expect(JSON.stringify(Object.values(toShape([body(text)], vocabulary)))).not.toContain(
          JSON.stringify(text).slice(1, -1),
        );
      }),
      { numRuns: countRuns(100) },
    );
  });

  it("does not differ from itself, nor from one that shows less", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (values, n) => {
        const all = toShape(values, vocabulary);
        expect(compareShapes(all, all)).toEqual([]);
        const more = toShape([values[n % values.length], ...values], vocabulary);
        expect(compareShapes(more, all)).toEqual([]);
      }),
      { numRuns: countRuns(100) },
    );
  });

  it("names a missing, an additional and a different field, without what is inside it", () => {
    const standIn = toShape([{ a: { b: 1 }, c: 1, d: "x" }], vocabulary);
    const service = toShape([{ c: "1", d: "y", e: { f: [1] } }], vocabulary);
    expect(compareShapes(standIn, service)).toEqual([
      { kind: "missing", path: "a", standIn: ["object"], service: [] },
      { kind: "other", path: "c", standIn: ["number"], service: ["string"] },
      { kind: "additional", path: "e", standIn: [], service: ["object"] },
    ]);
  });
});

describe("two conversations", () => {
  const speech = [
    { kind: "answer", body: { type: "one" } },
    { kind: "answer", body: { type: "one" } },
    { kind: "closed with 1000", body: undefined },
  ];
  const exchange = createExchange("speech", speech, vocabulary, { facts: { grows: true } });

  it("differ in the order of their answers, in facts, and where one is missing", () => {
    const other = createExchange("speech", speech.toReversed(), vocabulary, {
      facts: { grows: false },
      times: { "first words, ms": 900 },
    });
    expect(compareExchanges([exchange], [exchange])).toEqual([]);
    expect(compareExchanges([exchange], [other]).map(({ kind }) => kind)).toEqual([
      "order",
      "fact",
    ]);
    expect(compareExchanges([exchange], [])).toMatchObject([
      { kind: "exchange", standIn: "answers", service: "nothing" },
    ]);
  });
});

describe("the stored shape of each service", () => {
  const all = Object.entries(recorded).flatMap(([service, { exchanges }]) =>
    exchanges.map((exchange) => ({ ...exchange, title: `${service}: ${exchange.name}` })),
  );

  it("has conversations with all five services", () => {
    expect(Object.keys(recorded)).toHaveLength(5);
    expect(all.length).toBeGreaterThan(40);
  });

  it.each(all)(
    "differs from a stand-in without one of its fields: $title",
    ({ title: _, ...one }) => {
      const exchange = { ...one, facts: {}, times: {} };
      for (const [kind, shape] of Object.entries<Record<string, string[]>>(one.shapes)) {
        for (const path of Object.keys(shape).filter((name) => name !== "")) {
          const rest = Object.entries(shape).filter(([name]) => name !== path);
          const shapes = { ...one.shapes, [kind]: Object.fromEntries(rest) };
          const found = compareExchanges([{ ...exchange, shapes } as typeof exchange], [exchange]);
          expect(found.map(({ subject }) => subject)).toEqual([`${kind}: ${path}`]);
        }
      }
    },
  );
});
