import * as z from "zod/mini";
import { spendModelBudget } from "#server/ai/model-budget.ts";
import type { Context } from "#server/context.ts";
import { type LectureKey, reportLectureChange } from "#server/lectures/queries.ts";
import { sendWebhooksLater } from "#server/programs/send-webhooks.ts";
import { router, userProcedure } from "#server/trpc.ts";
import type { SessionUser } from "#shared/account.ts";
import type { ActionItem, FoundActionItems } from "#shared/action-item.ts";
import { toDayIn } from "#shared/due-date.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { summaryTextMaxLength } from "#shared/limits.ts";
import { findItems, mergeItems } from "./find-items.ts";
import { readItems, readSource, storeFoundItems } from "./queries.ts";

/** A name of the IANA's list. */
const timeZone = z.string().check(
  z.maxLength(64),
  z.refine((name) => {
    try {
      return toDayIn(new Date(0), name) !== "";
    } catch {
      return false;
    }
  }, "an unknown time zone"),
);

const findInput = z.object({
  lectureId: uuid,
  /** That of whoever was there: in it the lecture has its day, from which "tomorrow" is counted. */
  timeZone: z._default(timeZone, "UTC"),
});

/** Attempts to store what was found, while other pages change the items. */
const attemptsMax = 3;

export const actionItemsRouter = router({
  /**
   * Has the model find who is to do what until when, and stores it: see `mergeItems`. Webhooks are told of the items that
   * the lecture has then, if there are others than before.
   */
  find: userProcedure
    .input(findInput)
    .mutation(async ({ ctx, input, signal }): Promise<FoundActionItems> => {
      if (!(await ctx.limits.summaries.allow(`user:${ctx.user.id}`)))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      const key = { userId: ctx.user.id, id: input.lectureId };
      const source = await readSource(ctx.db, key, summaryTextMaxLength);
      if (!source) throw new AppError("not_found");
      if (!source.isWhole) throw new AppError("payload_too_large");
      const { createdAt, speakerNames, rows } = source;
      if (rows.length === 0)
        throw new AppError("validation_failed", { detail: "a lecture without sentences" });
      const today = toDayIn(createdAt, input.timeZone);
      const spend = (characters: number) => spendModelBudget(ctx, characters);
      const found = await findItems(ctx.llm, { rows, speakerNames, today }, { spend, signal });
      const items = await store(ctx, key, source.items, found.items);
      return { items, leftOut: found.leftOut };
    }),
});

/** @throws AppError `not_found`, `account_full` */
async function store(
  ctx: Context & { user: SessionUser },
  key: LectureKey,
  first: ActionItem[],
  found: Awaited<ReturnType<typeof findItems>>["items"],
): Promise<ActionItem[]> {
  let before: ActionItem[] | null = first;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (before === null) throw new AppError("not_found");
    const items = mergeItems(before, found, () => crypto.randomUUID());
    if (JSON.stringify(items) === JSON.stringify(before)) return items;
    if (await storeFoundItems(ctx.db, key, { before, items, now: ctx.clock.now() })) {
      sendWebhooksLater(ctx, ctx.user.id);
      reportLectureChange(ctx, key.id);
      return items;
    }
    // A person has ticked one while the model was reading.
    before = await readItems(ctx.db, key);
  }
  if (before === null) throw new AppError("not_found");
  throw new AppError("account_full");
}
