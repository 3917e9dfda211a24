import { english, type Voice } from "#bench/transcript/speech.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import type { SessionPorts } from "#client/recorder/session-ports.ts";

/** Word by word, so that a translation's length follows the original. */
const voices = {
  en: english,
  "zh-cn": {
    words: ["热量", "系统", "的", "熵", "时间", "方向", "可能", "排列"],
    gap: "",
    end: "。",
  },
  de: {
    words: ["Wärme", "Möglichkeiten", "und", "die", "Entropie", "Richtung", "zählt", "ist"],
    gap: " ",
    end: ".",
  },
  ar: {
    words: ["الحرارة", "النظام", "و", "الإنتروبيا", "تقيس", "الاتجاه", "من", "الزمن"],
    gap: " ",
    end: ".",
  },
  ja: {
    words: ["熱は", "温度の", "高い", "系が", "時間の", "向き", "分子", "並ぶ"],
    gap: "",
    end: "。",
  },
} satisfies Record<string, Voice>;

/** From a language into another one, by the name of the run. */
export const stillnessPairs = {
  "zh-cn": ["en", "zh-cn"],
  de: ["en", "de"],
  ar: ["en", "ar"],
  "ja-en": ["ja", "en"],
  "ar-en": ["ar", "en"],
} as const;
export type StillnessLanguage = keyof typeof stillnessPairs;
export const stillnessLanguages = Object.keys(stillnessPairs) as StillnessLanguage[];

export const getVoice = (language: StillnessLanguage): Voice => voices[stillnessPairs[language][0]];

/** Words of a final translation for each word of the original: shorter than, as long as and longer than the preview. */
const lengths = [1, 0.6, 1.25, 0.85, 1.6];
/** Delays of final translations, ms: at once, within the next sentence, and some sentences later. */
const delays = [400, 900, 2_500, 6_000, 14_000];
const previewDelayMs = 700;

/** A translator of `language` whose answers come late and in lengths of all kinds. */
export function createTranslator(
  language: StillnessLanguage,
  clock: SessionPorts["clock"],
): SessionApi["translate"] {
  const [from, into] = stillnessPairs[language];
  const { words, gap, end } = voices[into];
  const spoken = voices[from];
  /** Of a usual word in what is said, with its space. */
  const wordLength = spoken.words.join(spoken.gap).length / spoken.words.length;
  let count = 0;
  return ({ text }) => {
    const isFinal = text.endsWith(spoken.end);
    if (isFinal) count += 1;
    const length = isFinal ? (lengths[count % lengths.length] ?? 1) : 1;
    const delay = isFinal ? (delays[Math.floor(count / 2) % delays.length] ?? 0) : previewDelayMs;
    const wordCount = Math.max(1, Math.round((text.length / wordLength) * length));
    const translated = Array.from(
      { length: wordCount },
      (_, index) => words[(count + index * 3) % words.length],
    ).join(gap);
    return new Promise((resolve) => {
      clock.after(delay, () => resolve(`${translated}${isFinal ? end : ""}`));
    });
  };
}
