import * as z from "zod/mini";

/** Half of a surrogate pair cannot be encoded as UTF-8; it becomes U+FFFD. */
const toWellFormed = (value: string) => value.toWellFormed();

/**
 * Text from outside that may reach Postgres, of at most `maxLength` UTF-16 units. Every such string is
 * parsed with this schema: Postgres stores no NUL, so a text that has one is refused.
 */
export const storedText = (maxLength: number) =>
  z.string().check(z.maxLength(maxLength), z.regex(/^[^\0]*$/), z.overwrite(toWellFormed));
