import * as z from "zod/mini";

/** Replaces unpaired surrogates by U+FFFD, because UTF-8 cannot encode them. */
const toWellFormed = (value: string) => value.toWellFormed();

/**
 * Schema of every string from outside that may be stored: at most `maxLength` UTF-16 code units. A text with
 * NUL is rejected, because Postgres cannot store it.
 */
export const storedText = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength), z.regex(/^[^\0]*$/), z.overwrite(toWellFormed));
