import { describe, expect, it } from "vitest";
import { readResults, removeOverlap } from "#client/realtime/recognition/read-results.ts";

const final = (text: string, confidence = 0.9) => ({ text, isFinal: true, confidence });
const interim = (text: string) => ({ text, isFinal: false, confidence: 0.5 });

describe("readResults", () => {
  it("delivers each final result once", () => {
    const results = [final("so today"), final("we talk")];
    expect(readResults(results, 0)).toEqual({
      finals: ["so today", "we talk"],
      interim: "",
      deliveredCount: 2,
    });
    expect(readResults(results, 2)).toEqual({ finals: [], interim: "", deliveredCount: 2 });
  });

  it("joins all results that may still change", () => {
    const results = [final("so today"), interim(" about "), interim("entropy")];
    expect(readResults(results, 1)).toMatchObject({ finals: [], interim: "about entropy" });
  });

  it("delivers only the last of growing final results", () => {
    const growing = [final("one", 0), final("one two", 0), final("one two three", 0.9)];
    expect(readResults(growing.slice(0, 1), 0)).toMatchObject({ finals: [], interim: "one" });
    expect(readResults(growing.slice(0, 2), 0)).toEqual({
      finals: [],
      interim: "one two",
      deliveredCount: 1,
    });
    expect(readResults(growing, 1)).toMatchObject({ finals: ["one two three"], interim: "" });
  });

  it("keeps the revised words of growing final results", () => {
    const growing = [final("recognise speed", 0), final("recognise speech now", 0.8)];
    expect(readResults(growing, 0).finals).toEqual(["recognise speech now"]);
  });

  it("keeps a repeated sentence of the speaker", () => {
    expect(readResults([final("yes"), final("yes we can")], 0).finals).toEqual([
      "yes",
      "yes we can",
    ]);
  });

  it("delivers a final result of confidence 0 when another sentence follows", () => {
    const results = [final("one two", 0), final("and another thing", 0)];
    expect(readResults(results, 0)).toMatchObject({
      finals: ["one two"],
      interim: "and another thing",
    });
  });

  it("ignores empty results", () => {
    expect(readResults([final(" "), interim("")], 0)).toEqual({
      finals: [],
      interim: "",
      deliveredCount: 1,
    });
  });
});

describe("removeOverlap", () => {
  it("removes first words that are the last words of the text before", () => {
    expect(removeOverlap("and so the law says", "The law says, that heat")).toBe("that heat");
  });
  it("keeps a single repeated word", () => {
    expect(removeOverlap("that is very", "very good")).toBe("very good");
  });
  it("keeps text without an overlap", () => {
    expect(removeOverlap("", "one two")).toBe("one two");
  });
});
