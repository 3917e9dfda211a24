import { sql } from "drizzle-orm";

/** SQL for the id of the active share of the row of `lectures`, which the statement has found to be the caller's. */
export const selectActiveShareId = sql<string | null>`(
  select shares.id from shares where shares.lecture_id = lectures.id and shares.ended_at is null)`;

/** Shares that are told at once of their end; the objects of more check by themselves. */
export const activeSharesMax = 500;
