/**
 * How many rows a list has in all: `total` where the list itself tells, otherwise what was `counted` elsewhere; null
 * where nobody knows. A list that goes on has more than the `count` rows that are loaded: a number that says
 * otherwise is of another time.
 */
export function getTotalCount(
  total: number | null,
  counted: number | null,
  count: number,
): number | null {
  return total ?? (counted !== null && counted > count ? counted : null);
}
