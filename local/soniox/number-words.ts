const belowTwenty = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
  "sixteen seventeen eighteen nineteen",
]
  .join(" ")
  .split(" ");
const tens = ". . twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/**
 * Spells `n` (0 to 999,999) in English as one word without spaces: 21 is `twenty-one`, 342 is
 * `three-hundred-forty-two`.
 */
export function toNumberWord(n: number): string {
  if (n < 20) return belowTwenty[n] ?? "";
  if (n < 100) return join(tens[Math.floor(n / 10)] ?? "", n % 10);
  if (n < 1000) return join(`${toNumberWord(Math.floor(n / 100))}-hundred`, n % 100);
  return join(`${toNumberWord(Math.floor(n / 1000))}-thousand`, n % 1000);
}

const join = (head: string, rest: number) => (rest === 0 ? head : `${head}-${toNumberWord(rest)}`);
