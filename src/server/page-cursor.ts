import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { AppError } from "#shared/errors.ts";
import { storedText } from "#shared/fields.ts";
import { uuid } from "#shared/lecture.ts";
import { searchQueryMaxLength } from "#shared/limits.ts";
import { toTimestamp } from "./database.ts";

/** A cursor from the client; none for the first page. */
export type CursorInput = string | null | undefined;
/** Longer than a folder's, whose name of 200 characters is up to 1,200 in JSON. */
export const cursorInput = z.nullish(storedText(2_000));

/** Milliseconds since 1970, limited to years with four digits in both Postgres and `Date`. */
export const cursorTimestamp = z.int().check(z.nonnegative(), z.maximum(253_402_300_799_999));

/** The cursor is opaque to the client, so that the sort order can change. */
export const encodePageCursor = (position: readonly (string | number)[]): string =>
  JSON.stringify(position);

/**
 * Splits rows that were read with a limit of `size + 1` into a page and the cursor of the next one. `toPosition`
 * returns the sort key of the page's last row.
 */
export function toPage<Row>(
  rows: readonly Row[],
  size: number,
  toPosition: (last: Row) => readonly (string | number)[],
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return { page, nextCursor: last ? encodePageCursor(toPosition(last)) : null };
}

/**
 * Decodes a cursor of `encodePageCursor`; null for the first page.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export function decodePageCursor<T>(schema: z.ZodMiniType<T>, cursor: CursorInput): T | null {
  if (cursor === null || cursor === undefined) return null;
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

const timeAndId = z.tuple([cursorTimestamp, uuid]);

/**
 * Condition for the rows after `cursor`, a position by time and id, newest first; undefined for the first page.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export function isOlder(cursor: CursorInput, time: SQLWrapper, id: SQLWrapper): SQL | undefined {
  const after = decodePageCursor(timeAndId, cursor);
  if (after === null) return undefined;
  return sql`(${time}, ${id}) < (${toTimestamp(new Date(after[0]))}, ${after[1]}::uuid)`;
}

/** Part of a name or title, case-insensitive; blank means no filter. */
export const nameFilter = z.optional(storedText(searchQueryMaxLength).check(z.trim()));
