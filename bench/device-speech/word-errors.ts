import { listNormalWords } from "./normal-words.ts";

/** Two series of words, side by side. */
interface AlignedWord {
  /** Index of an expected word; null: the found one was added. */
  expected: number | null;
  /** Index of a found word; null: the expected one was left out. */
  found: number | null;
  isEqual: boolean;
}

/** Aligns `found` to `expected` with as few words left out, added or replaced as possible (Levenshtein). */
export function alignWords(expected: readonly string[], found: readonly string[]): AlignedWord[] {
  const width = found.length + 1;
  // errors[i * width + j]: between the first i expected and the first j found words.
  const errors = new Uint32Array((expected.length + 1) * width);
  const at = (i: number, j: number) => errors[i * width + j] ?? 0;
  const replace = (i: number, j: number) =>
    at(i - 1, j - 1) + Number(expected[i - 1] !== found[j - 1]);
  for (let i = 0; i <= expected.length; i += 1)
    for (let j = 0; j <= found.length; j += 1) {
      if (i === 0 || j === 0) errors[i * width + j] = i + j;
      else errors[i * width + j] = Math.min(replace(i, j), at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  const aligned: AlignedWord[] = [];
  let [i, j] = [expected.length, found.length];
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && at(i, j) === replace(i, j)) {
      i -= 1;
      j -= 1;
      aligned.push({ expected: i, found: j, isEqual: expected[i] === found[j] });
    } else if (i > 0 && at(i, j) === at(i - 1, j) + 1) {
      i -= 1;
      aligned.push({ expected: i, found: null, isEqual: false });
    } else {
      j -= 1;
      aligned.push({ expected: null, found: j, isEqual: false });
    }
  }
  return aligned.reverse();
}

/**
 * Words that were left out, added or replaced in `recognised`, at least. Case, punctuation and the way in which a number
 * is written do not count. `missing`: those that were left out. `total`: the words of `spoken`.
 */
export function countWordErrors(
  spoken: string,
  recognised: string,
): { errors: number; missing: number; total: number } {
  const expected = listNormalWords(spoken);
  const aligned = alignWords(expected, listNormalWords(recognised));
  return {
    errors: aligned.filter(({ isEqual }) => !isEqual).length,
    missing: aligned.filter(({ found }) => found === null).length,
    total: expected.length,
  };
}

/** The places at which `recognised` differs from `spoken`, with a word before each: `the [coast → ghost]`. */
export function listWordErrors(spoken: string, recognised: string): string[] {
  const expected = listNormalWords(spoken);
  const found = listNormalWords(recognised);
  const places: { before: string; expected: string[]; found: string[] }[] = [];
  let before = "";
  let isOpen = false;
  for (const one of alignWords(expected, found)) {
    const said = one.expected === null ? undefined : expected[one.expected];
    if (one.isEqual) {
      before = said ?? "";
      isOpen = false;
      continue;
    }
    if (!isOpen) places.push({ before, expected: [], found: [] });
    isOpen = true;
    const place = places.at(-1);
    if (said !== undefined) place?.expected.push(said);
    const heard = one.found === null ? undefined : found[one.found];
    if (heard !== undefined) place?.found.push(heard);
  }
  return places.map(
    (place) => `${place.before} [${place.expected.join(" ")} → ${place.found.join(" ")}]`,
  );
}
