/** Texts of models that go round in circles. */

const repeatsAtLeast = 4;

/**
 * True if a group of at most `groupMaxLength` units (tokens, words) follows itself more often in `output` than anything
 * does in `input`.
 */
export function isRepetitive<Unit>(
  output: readonly Unit[],
  input: readonly Unit[],
  groupMaxLength = 8,
): boolean {
  const repeats = countRepeats(output, groupMaxLength);
  return repeats >= repeatsAtLeast && repeats > countRepeats(input, groupMaxLength) + 1;
}

/** How often, at most, a group of up to `groupMaxLength` units stands there without anything between. */
function countRepeats<Unit>(units: readonly Unit[], groupMaxLength: number): number {
  let most = units.length === 0 ? 0 : 1;
  for (let size = 1; size <= groupMaxLength; size++) {
    let same = 0;
    for (let index = size; index < units.length; index++) {
      same = units[index] === units[index - size] ? same + 1 : 0;
      most = Math.max(most, Math.floor(same / size) + 1);
    }
  }
  return most;
}
