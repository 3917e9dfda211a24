import { type SQL, sql } from "drizzle-orm";
import type { Tier } from "#shared/plans.ts";

// Limits of stored text: see docs/decisions/0028-quotas-for-text.md. The counters (`lectures.entry_bytes`,
// `lectures.bytes`, `user_storage`) are in drizzle/library.ts.

const mebibyte = 1024 * 1024;

/** Bytes that a row counts in addition to its texts. */
export const rowOverheadBytes = 64;
/** Most bytes of one lecture's rows. */
export const lectureBytesMax = 12 * mebibyte;
/** Most bytes of all of a user's lectures, including those in the trash. */
export const accountBytesMax: Record<Tier, number> = {
  free: 128 * mebibyte,
  pro: 1024 * mebibyte,
  premium: 4096 * mebibyte,
};
/** Most lectures of a user, including those in the trash. */
export const accountLecturesMax = 20_000;

/**
 * SQL condition: the user's plan allows `growth` more bytes, also of a user who has stored nothing so far. Concurrent calls
 * do not see each other, so together they may exceed the limit.
 */
export function hasCapacityFor(userId: string, growth: SQL): SQL {
  const { free, pro, premium } = accountBytesMax;
  return sql`coalesce((
    select storage.bytes + ${growth} <= ${free}::bigint
      or storage.bytes + ${growth} <= coalesce((
        select case subscription.tier
          when 'premium' then ${premium}::bigint when 'pro' then ${pro}::bigint else ${free}::bigint end
        from subscriptions subscription where subscription.user_id = ${userId}::uuid
      ), 0)
    from user_storage storage where storage.user_id = ${userId}::uuid
  ), true)`;
}

/** Bytes of a lecture without action items that are not counted: those of `[]`. */
const noItemsBytes = 2;

/** SQL for the bytes of action items that `entry_bytes` counts. */
export const countItemBytes = (items: SQL): SQL =>
  sql`(octet_length((${items})::text) - ${noItemsBytes}::int)`;
