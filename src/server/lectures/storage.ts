import { type SQL, sql } from "drizzle-orm";
import type { Tier } from "#shared/plans.ts";

/**
 * How much text may be stored. The arithmetic is in docs/decisions/0028-quotas-for-text.md; the counters
 * (`lectures.entry_bytes`, `lectures.bytes`, `user_storage`) are in drizzle/library.ts.
 */

const mebibyte = 1024 * 1024;

/** What a row counts beside its texts, in bytes: rows without text take room too. */
export const rowOverheadBytes = 64;
/** Of one lecture's rows, in bytes. */
export const lectureBytesMax = 12 * mebibyte;
/** Of all of a user's lectures, those in the trash included, in bytes. */
export const accountBytesMax: Record<Tier, number> = {
  free: 128 * mebibyte,
  pro: 1024 * mebibyte,
  premium: 4096 * mebibyte,
};
/** Lectures of a user, those in the trash included. */
export const accountLecturesMax = 20_000;

/**
 * Whether the user's plan has room for `growth` more bytes. Calls at the same time do not see each other,
 * so an account may end above its limit by what was under way.
 */
export function hasCapacityFor(userId: string, growth: SQL): SQL {
  const { free, pro, premium } = accountBytesMax;
  return sql`coalesce((
    select storage.bytes + ${growth} <= ${free}::bigint
      or storage.bytes + ${growth} <= (
        select case subscription.tier
          when 'premium' then ${premium}::bigint when 'pro' then ${pro}::bigint else ${free}::bigint end
        from subscriptions subscription where subscription.user_id = ${userId}::uuid
      )
    from user_storage storage where storage.user_id = ${userId}::uuid
  ), false)`;
}
