import { describe, expect, it } from "vitest";
import { cleanHypothesis } from "#client/recognition/device/clean-hypothesis.ts";
import type { HypothesisWord } from "#client/recognition/device/speech-model.ts";
import { divideWord } from "#client/recognition/device/whisper-words.ts";

const speak = (text: string, fromMs = 0, wordMs = 300): HypothesisWord[] =>
  text.split(" ").map((word, index) => ({
    text: ` ${word}`,
    startMs: fromMs + index * wordMs,
    endMs: fromMs + (index + 1) * wordMs - 40,
  }));

/** Sound from 10 s on with speech between the given times, ms from its start. */
function clean(words: readonly HypothesisWord[], lengthMs: number, ...speech: [number, number][]) {
  const startMs = 10_000;
  const intervals = speech.map(([from, to]) => ({ startMs: from + startMs, endMs: to + startMs }));
  const sound = { startMs, endMs: startMs + lengthMs, speech: intervals, voice: [] };
  const cleaned = cleanHypothesis(words, sound);
  return { ...cleaned, text: cleaned.words.map(({ text }) => text).join(" ") };
}

describe("a hypothesis", () => {
  it("passes as it is where nothing is wrong", () => {
    const { text, words, fault } = clean(speak("So, the second law."), 2_000, [0, 1_200]);
    expect(text).toBe("So, the second law.");
    expect(words[1]).toEqual({ text: "the", startMs: 10_300, endMs: 10_560 });
    expect(fault).toBeNull();
  });

  it("may be empty", () => {
    expect(clean([], 2_000, [0, 2_000])).toEqual({ words: [], fault: null, text: "" });
    expect(clean([{ text: " ", startMs: 0, endMs: 0 }], 2_000, [0, 2_000]).words).toEqual([]);
  });

  it("keeps punctuation that stands alone with the word before it", () => {
    expect(clean(speak("well , yes ..."), 2_000, [0, 2_000]).text).toBe("well, yes...");
  });

  it.each(["[BLANK_AUDIO]", "[ Silence ]", "(upbeat music)", "*sighs*", "♪ ♪", "[Music]."])(
    "has no names of sounds: %s",
    (name) => {
      expect(clean(speak(`hello ${name} there`), 4_000, [0, 4_000]).text).toBe("hello there");
    },
  );

  it.each(["(door creaks)", "[deur slaat dicht]", "(śmiech)", "*ding*"])(
    "has no names of sounds that are not speech, in whichever language: %s",
    (name) => {
      const words = speak(`hello ${name} there`);
      const last = words.at(-1)?.startMs ?? 0;
      expect(clean(words, 4_000, [0, 260], [last, 4_000]).text).toBe("hello there");
    },
  );

  it.each([
    ...["[BLANK_AUDIO]", "(upbeat music)", "[Music].", "*sighs*", "♪ ♪", "(笑)", "【音楽】"],
    // Of other models and languages.
    ...["<|nospeech|>", "<music>", "{laughter}", "[ Pause ]", "(Gelächter)", "[موسيقى]", "[음악]"],
    ...["(speaking in foreign language)", "[SPEAKER_00]", "(Rires)"],
  ])("has no name of a sound as a sentence, whatever is heard: %s", (name) => {
    expect(clean(speak(name), 4_000, [0, 4_000]).text).toBe("");
    const text = "That is all.";
    expect(clean(speak(`${text} ${name}`), 4_000, [0, 4_000]).text).toBe(text);
  });

  it.each([
    "the interval [0, 1] is closed",
    "f(x) (x squared) is even",
    "das offene Intervall (0, 1) ist gemeint",
    "the element a[i] and [j k] too",
    "la fonction (deux x) est paire",
    "the set {1, 2, 3} is finite",
    "P(A | B) is conditional",
    "f(x) = (x + 1)",
    "where a < b and c > d",
    "if (and only if) it holds",
    "[0, 1]",
  ])("keeps what somebody says in brackets: %s", (text) => {
    expect(clean(speak(text), 4_000, [0, 4_000]).text).toBe(text);
  });

  it("is no repetition of the terms that the model was told, which is not what was said", () => {
    const terms = ["cell membrane", "Golgi apparatus", "ribosome"];
    const cleanTerms = (text: string) => {
      const speech = [{ startMs: 0, endMs: 4_000 }];
      const sound = { startMs: 0, endMs: 4_000, speech, voice: [] };
      return cleanHypothesis(speak(text), sound, terms);
    };
    for (const text of ["Cell membrane, Golgi apparatus, ribosome.", "golgi apparatus ribosome"])
      expect(cleanTerms(text)).toEqual({ words: [], fault: "terms" });
    for (const text of [
      "The cell membrane, ribosome.",
      "Golgi apparatus.",
      "ribosome, cell membrane",
    ]) {
      expect(cleanTerms(text).fault).toBeNull();
      expect(cleanTerms(text).words).toHaveLength(text.split(" ").length);
    }
  });

  it("keeps long words in brackets", () => {
    const text = "it (that is what I mean by it) works";
    expect(clean(speak(text), 4_000, [0, 4_000]).text).toBe(text);
  });

  it("ends where a piece of text repeats itself", () => {
    const loop = Array(9).fill("and so on").join(" ");
    const { text, fault } = clean(speak(`we add them ${loop}`), 12_000, [0, 12_000]);
    expect(text).toBe("we add them and so on");
    expect(fault).toBe("repeated");
  });

  it("ends where words repeat themselves faster than anybody speaks", () => {
    const words = [...speak("it is"), ...speak("very very very very", 600, 60)];
    expect(clean(words, 2_000, [0, 2_000])).toMatchObject({
      text: "it is very",
      fault: "repeated",
    });
  });

  it.each([
    "no no no no no",
    "very very very good",
    "knock knock. Who is there? knock knock. Who is there?",
    "one two three one two three one two three",
  ])("keeps what a person repeats: %s", (text) => {
    expect(clean(speak(text), 6_000, [0, 6_000])).toMatchObject({ text, fault: null });
  });

  it.each([
    "Thank you for watching!",
    "Thanks for watching.",
    "you",
    "Thank you.",
    "Please subscribe.",
  ])("has no text for a noise: %s", (text) => {
    expect(clean(speak(text, 0, 500), 3_000, [200, 300]).text).toBe("");
    expect(clean(speak(`That is all. ${text}`), 6_000, [0, 850]).text).toBe("That is all.");
  });

  it("has no such text behind words that end without a period", () => {
    const words = speak("that is all thank you for watching");
    expect(clean(words, 6_000, [0, 850]).text).toBe("that is all");
  });

  it("keeps thanks that were said", () => {
    expect(clean(speak("That is all. Thank you."), 3_000, [0, 1_600]).text).toBe(
      "That is all. Thank you.",
    );
  });

  it("has no words where nobody speaks", () => {
    const words = [...speak("and so"), ...speak("whatever it says here", 3_000)];
    expect(clean(words, 5_000, [0, 600]).text).toBe("and so");
  });

  it("has no words behind the window's end", () => {
    const words = [...speak("the last word"), ...speak("of a film", 4_000)];
    expect(clean(words, 1_000, [0, 1_000]).text).toBe("the last word");
  });

  it("is not trusted with more words than the speech can have", () => {
    const words = speak("a b c d e f g h i j k l m n o p", 0, 60);
    expect(clean(words, 1_000, [0, 800])).toMatchObject({ words: [], fault: "tooMany" });
  });

  it("has times in order, within the window, without overlap", () => {
    const words = [
      { text: "a", startMs: -50, endMs: 300 },
      { text: "b", startMs: 250, endMs: 900 },
      { text: "c", startMs: 600, endMs: 500 },
      { text: "d", startMs: 100, endMs: 200 },
      { text: "e", startMs: 1_400, endMs: Number.NaN },
      { text: "f", startMs: Number.NaN, endMs: Number.NaN },
      { text: "g", startMs: 1_900, endMs: 9_000 },
    ];
    const cleaned = clean(words, 2_000, [0, 2_000]).words;
    expect(cleaned.map(({ text }) => text).join("")).toBe("abcdefg");
    let clockMs = 10_000;
    for (const { startMs, endMs } of cleaned) {
      expect(startMs).toBeGreaterThanOrEqual(clockMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      clockMs = endMs;
    }
    expect(clockMs).toBe(12_000);
    expect(cleaned[1]?.startMs).toBe(10_250);
    expect(cleaned[4]?.startMs).toBe(11_400);
    expect(cleaned[6]?.startMs).toBe(11_900);
  });

  it("keeps the right times where one is far too late", () => {
    const words = speak("a b c d e");
    words[1] = { text: "b", startMs: 1_900, endMs: 1_950 };
    const cleaned = clean(words, 2_000, [0, 2_000]).words;
    expect(cleaned.map(({ startMs }) => startMs - 10_000)).toEqual([0, 260, 600, 900, 1_200]);
  });

  it("puts a word without a right time where somebody speaks", () => {
    const words = [
      ...speak("a"),
      { text: "b", startMs: 5_000, endMs: 5_100 },
      ...speak("c", 4_000),
    ];
    const cleaned = clean(words, 5_200, [0, 300], [2_000, 2_250], [4_000, 4_300]).words;
    expect(cleaned[1]).toEqual({ text: "b", startMs: 12_000, endMs: 12_200 });
  });
});

describe("a hypothesis in a script without spaces", () => {
  /** Letters of 130 ms. */
  const write = (text: string, fromMs = 0): HypothesisWord[] => {
    const { length } = divideWord({ text, startMs: 0, endMs: 0 }, "ja");
    return divideWord({ text, startMs: fromMs, endMs: fromMs + 130 * length }, "ja");
  };
  const read = (words: readonly HypothesisWord[], ...speech: [number, number][]) => {
    const { text, fault } = clean(words, 20_000, ...speech);
    return { text: text.replaceAll(" ", ""), fault };
  };

  it("passes as it is where nothing is wrong, at the pace of a fast speaker", () => {
    const text = "熱は高い所から低い所へ流れます。コーヒーも、やがて冷めますね。";
    const words = divideWord({ text, startMs: 0, endMs: 2_600 }, "ja");
    expect(read(words, [0, 2_600])).toEqual({ text, fault: null });
  });

  it("ends where a piece of text repeats itself, but not where somebody says yes four times", () => {
    const loop = "次に、".repeat(12);
    expect(read(write(`式を見ます。${loop}`), [0, 12_000])).toEqual({
      text: "式を見ます。次に、",
      fault: "repeated",
    });
    expect(read(write("はい、はい、はい、はい。"), [0, 4_000]).fault).toBeNull();
  });

  it.each(["ご視聴ありがとうございました", "谢谢观看", "字幕由Amara.org社区提供"])(
    "has no sentence for silence: %s",
    (silence) => {
      const spoken = write("熱が流れます。");
      expect(read([...spoken, ...write(silence, 5_000)], [0, 1_000]).text).toBe("熱が流れます。");
    },
  );

  it("keeps more words in brackets", () => {
    const text = "点を結びます（力を入れずに）。";
    expect(read(write(text), [0, 4_000]).text).toBe(text);
  });

  it("keeps such a sentence where it is spoken", () => {
    const text = "ご視聴ありがとうございました。";
    expect(read(write(text), [0, 2_000]).text).toBe(text);
  });

  it.each(["（笑）", "【音楽】", "（笑い声）"])("has no names of sounds: %s", (name) => {
    const words = [...write("熱が"), ...write(name, 1_000), ...write("流れます。", 3_000)];
    expect(read(words, [0, 400], [3_000, 4_000]).text).toBe("熱が流れます。");
  });

  it("keeps a formula in brackets", () => {
    const text = "区間［零から一］は閉じています。";
    expect(read(write(text), [0, 4_000]).text).toBe(text);
  });
});

it.each([
  ["Untertitel der Amara.org-Community"],
  ["Merci d'avoir regardé cette vidéo !"],
  ["Продолжение следует..."],
  ["시청해주셔서 감사합니다."],
  ["اشتركوا في القناة"],
])("has no sentence for silence: %s", (silence) => {
  expect(clean([...speak("one two."), ...speak(silence, 4_000)], 6_000, [0, 600]).text).toBe(
    "one two.",
  );
});

it.each([
  "Dank u voor het kijken.",
  "Tack för att ni tittade på videon.",
  "Dziękuję za uwagę i do zobaczenia.",
  "Cảm ơn các bạn đã theo dõi.",
  "İzlediğiniz için çok teşekkür ederim.",
])("has no sentence for a noise, in a language without a list: %s", (invented) => {
  const words = [...speak("one two."), ...speak(invented, 4_000)];
  expect(clean(words, 8_000, [0, 600], [4_200, 4_300]).text).toBe("one two.");
  // Said, it stays.
  expect(clean(words, 8_000, [0, 600], [4_000, 8_000]).text).toBe(`one two. ${invented}`);
});
