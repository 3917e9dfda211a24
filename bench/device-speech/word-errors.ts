/**
 * Words that were left out, added or replaced in `recognised`, at least. Case and punctuation do not count.
 * `total`: the words of `spoken`.
 */
export function countWordErrors(
  spoken: string,
  recognised: string,
): { errors: number; total: number } {
  const expected = splitWords(spoken);
  const found = splitWords(recognised);
  // Errors between all expected words so far and the first n found ones (Levenshtein).
  let row = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [index, word] of expected.entries()) {
    const next = [index + 1];
    for (const [place, other] of found.entries())
      next.push(
        Math.min(
          (row[place] ?? 0) + (word === other ? 0 : 1),
          (row[place + 1] ?? 0) + 1,
          (next[place] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return { errors: row.at(-1) ?? 0, total: expected.length };
}

const splitWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
