import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { folders, glossaryTerms } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { accountBytesMax, accountLecturesMax } from "#server/lectures/storage.ts";
import { type CursorInput, decodePageCursor, toPage } from "#server/page-cursor.ts";
import type { Capacity, TermPage } from "#shared/backup.ts";
import { uuid } from "#shared/lecture.ts";
import { termsPerChangeMax } from "#shared/limits.ts";

/**
 * Lists a page of the terms of all of the user's folders and of the whole library, by id.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listTerms(
  db: Database,
  { userId, cursor }: { userId: string; cursor?: CursorInput },
): Promise<TermPage> {
  const after = decodePageCursor(z.tuple([uuid]), cursor);
  const { id, folderId, language, term, translations, note } = glossaryTerms;
  const { originKind, originName, position, isLeftOut } = glossaryTerms;
  const rows = await db
    .select({
      id,
      folderId,
      language,
      term,
      translations,
      note,
      originKind,
      originName,
      position,
      isLeftOut,
    })
    .from(glossaryTerms)
    .leftJoin(folders, eq(folders.id, glossaryTerms.folderId))
    .where(
      and(
        eq(glossaryTerms.userId, userId),
        or(isNull(glossaryTerms.folderId), isNull(folders.deletedAt)),
        after ? gt(glossaryTerms.id, after[0]) : undefined,
      ),
    )
    .orderBy(asc(glossaryTerms.id))
    .limit(termsPerChangeMax + 1);
  const { page, nextCursor } = toPage(rows, termsPerChangeMax, ({ id }) => [id]);
  const items = page.map(({ originKind: kind, originName: name, ...term }) => ({
    ...term,
    origin: { kind, name },
  }));
  return { items, nextCursor };
}

/** What the user's plan has space for: see `hasCapacityFor`. */
export async function readCapacity(db: Database, userId: string): Promise<Capacity> {
  const { free, pro, premium } = accountBytesMax;
  const { rows } = await db.execute<{ bytes: number; lectures: number }>(sql`
    select greatest(0, case subscription.tier when 'premium' then ${premium}::bigint
        when 'pro' then ${pro}::bigint else ${free}::bigint end - coalesce(storage.bytes, 0))::float8 as bytes,
      greatest(0, ${accountLecturesMax}::int - coalesce(storage.lectures, 0)) as lectures
    from (select) as once
    left join user_storage storage on storage.user_id = ${userId}::uuid
    left join subscriptions subscription on subscription.user_id = ${userId}::uuid`);
  const [row] = rows;
  if (!row) throw new Error("The capacity returned no row");
  return row;
}
