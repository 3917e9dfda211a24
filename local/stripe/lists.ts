import { resourceMissing } from "./errors.ts";

export interface Paging {
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

type Bound = number | undefined;
export type Range = number | { gt?: Bound; gte?: Bound; lt?: Bound; lte?: Bound } | undefined;

/**
 * One page of `all`, newest first.
 *
 * @param all in the order of making.
 * @throws ApiError where the cursor is none of them.
 */
export function page<T extends { id: string }>(
  all: readonly T[],
  { limit, starting_after, ending_before }: Paging,
  url: string,
  wire: (one: T) => object,
) {
  const newestFirst = all.toReversed();
  const indexOf = (id: string, param: string) => {
    const index = newestFirst.findIndex((one) => one.id === id);
    if (index < 0) throw resourceMissing("object", id, param);
    return index;
  };
  const from = starting_after ? indexOf(starting_after, "starting_after") + 1 : 0;
  const to = ending_before ? indexOf(ending_before, "ending_before") : newestFirst.length;
  const within = newestFirst.slice(from, to);
  const data = ending_before ? within.slice(-limit) : within.slice(0, limit);
  return { object: "list", url, has_more: within.length > data.length, data: data.map(wire) };
}

export function within(value: number, range: Range): boolean {
  if (range === undefined) return true;
  if (typeof range === "number") return value === range;
  const { gt, gte, lt, lte } = range;
  return (
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  );
}
