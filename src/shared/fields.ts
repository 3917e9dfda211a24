import * as z from "zod/mini";
import { truncateContext } from "./context.ts";

/** Schemas of single values that come from outside. */

/** At most the maximum of a Postgres integer; as milliseconds, 24 days. */
export const nonNegativeInt = z.int32().check(z.nonnegative());

/** Whether no id occurs twice; upper case makes no difference. */
export const areDistinct = (ids: readonly string[]): boolean =>
  new Set(ids.map((id) => id.toLowerCase())).size === ids.length;

/** Of a string that may be stored: Postgres refuses NUL, and UTF-8 cannot encode unpaired surrogates. */
const storable = z.string().check(
  z.regex(/^[^\0]*$/),
  z.overwrite((text) => text.toWellFormed()),
);

/** A string that may be stored, of at most `maxLength` UTF-16 code units. */
export const storedText = (maxLength: number) => storable.check(z.maxLength(maxLength));

/** A lecture's Context. One that is too long is cut: it may have been stored by an earlier version. */
export const contextText = storable.check(z.overwrite(truncateContext));

/** ISO 8601, in UTC. */
export const moment = z.iso
  .datetime()
  .check(z.refine((text) => Date.parse(text) >= 0, "before the year 1970"));
