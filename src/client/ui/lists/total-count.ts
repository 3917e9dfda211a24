/**
 * Number of rows of a list: `total` if the list knows it, else `counted` from another query; null if unknown. While the
 * list has more pages, `counted` must exceed the `count` loaded rows; otherwise it is stale.
 */
export function getTotalCount(
  total: number | null,
  counted: number | null,
  count: number,
): number | null {
  return total ?? (counted !== null && counted > count ? counted : null);
}
