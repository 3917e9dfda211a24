import * as z from "zod/mini";
import { AppError } from "#shared/errors.ts";
import { searchQueryMaxLength } from "#shared/limits.ts";
import { storedText } from "#shared/stored-text.ts";

/** A cursor from the client. */
export const cursorInput = z.nullish(storedText(1_000));

/** Milliseconds since 1970, limited to years with four digits in both Postgres and `Date`. */
export const cursorTimestamp = z.int().check(z.nonnegative(), z.maximum(253_402_300_799_999));

/** The cursor is opaque to the client, so that the sort order can change. */
export const encodePageCursor = (position: readonly (string | number)[]): string =>
  JSON.stringify(position);

/**
 * Decodes a cursor of `encodePageCursor`.
 *
 * @throws AppError `validation_failed` for anything else.
 */
export function decodePageCursor<T>(schema: z.ZodMiniType<T>, cursor: string): T {
  let value: unknown;
  try {
    value = JSON.parse(cursor);
  } catch (cause) {
    throw new AppError("validation_failed", { detail: "cursor", cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new AppError("validation_failed", { detail: "cursor" });
  return parsed.data;
}

/** Part of a name or title, case-insensitive; blank means no filter. */
export const nameFilter = z.optional(storedText(searchQueryMaxLength).check(z.trim()));
