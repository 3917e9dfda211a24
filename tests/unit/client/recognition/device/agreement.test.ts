import { describe, expect, it } from "vitest";
import { countAgreed, findJoint, joinWords } from "#client/recognition/device/agreement.ts";
import type { HypothesisWord } from "#client/recognition/device/speech-model.ts";
import { divideWord } from "#client/recognition/device/whisper-words.ts";
import { listComparable } from "#shared/word-units.ts";

/** Words of 300 ms, one each 400 ms, the first at `fromMs`. */
const speak = (text: string, fromMs = 0): HypothesisWord[] =>
  text.split(" ").map((word, index) => {
    const startMs = fromMs + index * 400;
    return { text: word, startMs, endMs: startMs + 300 };
  });

describe("agreement of two hypotheses", () => {
  const agree = (before: string, now: string, stableMs = 60_000) =>
    countAgreed(speak(before), speak(now), stableMs);

  it("makes the words final that both have, but not the last one of the later", () => {
    expect(agree("so the eigen", "so the eigenvalue is")).toBe(2);
    expect(agree("so the matrix", "so the matrix has")).toBe(3);
    expect(agree("so the matrix has", "so the matrix has")).toBe(3);
    expect(agree("so the matrix has", "so the")).toBe(1);
  });

  it("counts neither case nor punctuation", () => {
    expect(agree("So, the matrix. Has two", "so the Matrix has, two roots")).toBe(5);
  });

  it("makes words final at once of which the model is certain, up to the first other one", () => {
    const heard = speak("so the matrix has two").map((word, index) => ({
      ...word,
      certainty: [0.9, 0.7, 0.69, 0.9, 0.9][index] ?? 0,
    }));
    expect(countAgreed([], heard, 60_000)).toBe(2);
    expect(countAgreed(speak("so a matrix"), heard, 60_000)).toBe(4);
    expect(countAgreed([], heard.slice(0, 2), 60_000)).toBe(1);
    expect(countAgreed([], heard, 500)).toBe(1);
  });

  it("stops at the first difference", () => {
    expect(agree("so a matrix has two", "so the matrix has two")).toBe(1);
    expect(agree("", "so the")).toBe(0);
  });

  it("leaves words that end near the end of the window", () => {
    expect(agree("a b c d e", "a b c d e f", 1_100)).toBe(3);
  });
});

describe("the joint", () => {
  const join = (before: string, words: HypothesisWord[], atMs: number, toleranceMs = 250) =>
    words
      .slice(findJoint(listComparable(before), words, atMs, toleranceMs))
      .map(({ text }) => text)
      .join(" ");

  it("is by the words' middle where no word repeats", () => {
    expect(join("", speak("a b c d"), 900)).toBe("c d");
    expect(join("x y", speak("a b c d"), 1_000)).toBe("d");
    expect(join("", speak("a b"), 0)).toBe("a b");
    expect(join("", speak("a b"), 5_000)).toBe("");
  });

  it("is behind the repeated words, although the times differ", () => {
    expect(join("and now the second law", speak("now the second law says that"), 1_100)).toBe(
      "says that",
    );
    expect(join("and now the second law", speak("now the second law says that"), 2_300)).toBe(
      "says that",
    );
  });

  it("is found although some words differ", () => {
    expect(join("now the second low", speak("now the second law says that"), 1_550)).toBe(
      "says that",
    );
    expect(join("now the eigen value", speak("now the eigenvalue is real"), 1_100)).toBe("is real");
  });

  it("leaves a word that was said twice", () => {
    expect(join("this is very", speak("is very very good"), 700)).toBe("very good");
    expect(join("good morning everyone", speak("everyone everyone sit"), 350)).toBe("everyone sit");
  });

  it("leaves a phrase that was said twice", () => {
    const words = speak("three four one two three four one two three four five");
    expect(join("one two three four", words, 750)).toBe(
      "one two three four one two three four five",
    );
  });

  it("is not moved by a common word further on", () => {
    expect(join("and of the", speak("so we see the end", 1_000), 1_000)).toBe("so we see the end");
  });
});

describe("in a script without spaces", () => {
  const write = (text: string, fromMs = 0) =>
    divideWord({ text, startMs: fromMs, endMs: fromMs + 150 * text.length }, "ja");

  it("letters agree, although the words around them differ", () => {
    expect(countAgreed(write("熱は高い所か"), write("熱は高い所から低い"), 60_000)).toBe(6);
    expect(countAgreed(write("熱は高い所"), write("熱が高い所"), 60_000)).toBe(1);
  });

  it("the joint is behind the repeated letters, although the times differ", () => {
    const words = write("所から低い所へ流れます");
    for (const atMs of [600, 900, 1_200]) {
      const fresh = words.slice(
        findJoint(listComparable("熱は高い所から低い所"), words, atMs, 150),
      );
      expect(joinWords(fresh)).toBe("へ流れます");
    }
  });

  it("the joint is where the same words follow, although the time is nearer to another place", () => {
    const words = write("りました");
    const find = (after: string) =>
      findJoint(listComparable("年に始まり"), words, 310, 150, listComparable(after));
    expect(find("")).toBe(2);
    expect(find("ました")).toBe(1);
  });

  it("Latin words keep the spaces that the model has written", () => {
    const words = ["これは", " machine", " learning", "です"].flatMap((text) =>
      divideWord({ text, startMs: 0, endMs: 100 }, "ja"),
    );
    expect(joinWords(words)).toBe("これは machine learningです");
  });

  it("a word of another script in a language with spaces stays one", () => {
    const words = [" the", " 漢字", " is"].flatMap((text) =>
      divideWord({ text, startMs: 0, endMs: 100 }, "en"),
    );
    expect(joinWords(words)).toBe(" the 漢字 is");
  });
});
