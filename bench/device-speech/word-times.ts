import { listNormalWords } from "./normal-words.ts";
import wordTimes from "./word-times.json" with { type: "json" };

/** A clip's sound is the same if its length is, s. */
const sameLength = 0.002;

/** A clip in a stream; times in s. */
interface PlacedClip {
  clip: string;
  start: number;
  end: number;
  text: string;
}

/**
 * Where each word of a clip lies, if the clip is one of `word-times.json`: it has the words of recordings that were aligned
 * once (docs/benchmarks.md), each as `text start-end`, s from the start of the clip.
 */
export function findWordTimes({ clip, start, end, text }: PlacedClip) {
  const known = wordTimes.find(
    (one) => one.clip === clip && Math.abs(one.seconds - (end - start)) < sameLength,
  );
  const words = known?.words.split(", ").map((word) => {
    const [, said = "", from, to] = /^(.+) ([\d.]+)-([\d.]+)$/.exec(word) ?? [];
    return { text: said, start: start + Number(from), end: start + Number(to) };
  });
  const texts = words?.map((word) => word.text).join(" ");
  return texts === listNormalWords(text).join(" ") ? words : undefined;
}
