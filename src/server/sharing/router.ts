import * as z from "zod/mini";
import { createSecret, sha256 } from "#server/auth/secrets.ts";
import type { Context } from "#server/context.ts";
import { sendWebhooksLater } from "#server/programs/send-webhooks.ts";
import { readPlanUsage } from "#server/subscriptions/queries.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { targetLanguages } from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import {
  type CreatedShare,
  type Share,
  shareCode,
  shareCodeBytes,
  shareModes,
} from "#shared/share.ts";
import { keepSharedLecture } from "./keep.ts";
import { changeShare, endShare, readActiveShare, replaceShare, type ShareRow } from "./queries.ts";

type Caller = Context & { user: SessionUser };

const mode = z.enum(shareModes);
const lectureProcedure = writeProcedure.input(z.object({ lectureId: uuid }));

export const sharesRouter = router({
  /** Shares a lecture. If it is shared already, the earlier share ends. */
  create: lectureProcedure
    .input(z.object({ mode, mayCopy: z.boolean(), showsSlides: z._default(z.boolean(), false) }))
    .mutation(({ ctx, input }) => share(ctx, input)),

  /** Replaces the link; the old one ends. */
  renew: lectureProcedure.mutation(async ({ ctx, input: { lectureId } }) => {
    const active = await readActiveShare(ctx.db, { userId: ctx.user.id, lectureId });
    if (!active) throw new AppError("not_found");
    return share(ctx, active);
  }),

  /** Changes the settings of the active share. */
  change: lectureProcedure
    .input(
      z.object({
        mode: z.exactOptional(mode),
        mayCopy: z.exactOptional(z.boolean()),
        showsSlides: z.exactOptional(z.boolean()),
      }),
    )
    .mutation(async ({ ctx, input: { lectureId, ...change } }): Promise<void> => {
      if (Object.keys(change).length === 0)
        throw new AppError("validation_failed", { detail: "nothing to change" });
      const changed = await changeShare(ctx.db, { userId: ctx.user.id, lectureId }, change);
      if (!changed) throw new AppError("not_found");
      await ctx.shareRooms.reportChange(changed.id, { rows: null });
    }),

  /** Ends the active share, and with it the connections of its readers. Repeating it changes nothing. */
  end: lectureProcedure.mutation(async ({ ctx, input: { lectureId } }): Promise<void> => {
    const userId = ctx.user.id;
    const id = await endShare(ctx.db, { userId, lectureId, now: ctx.clock.now() });
    if (id === null) return;
    await ctx.shareRooms.end([id]);
    sendWebhooksLater(ctx, userId);
    ctx.logger.info("share_ended", { userId, shareId: id });
  }),

  /** The active share of a lecture, or null. */
  get: userProcedure
    .input(z.object({ lectureId: uuid }))
    .query(async ({ ctx, input: { lectureId } }): Promise<Share | null> => {
      const active = await readActiveShare(ctx.db, { userId: ctx.user.id, lectureId });
      return active && toShare(ctx, active, await ctx.shareRooms.countReaders(active.id));
    }),

  /**
   * Copies a shared lecture into the caller's library, with the translation into `language` as far as it exists. The
   * browser chooses `id`; a repeated call changes nothing.
   */
  keep: writeProcedure
    .input(z.object({ id: uuid, code: shareCode, language: z.enum(targetLanguages) }))
    .mutation(async ({ ctx, input: { code, ...copy } }): Promise<void> => {
      const userId = ctx.user.id;
      const now = ctx.clock.now();
      await keepSharedLecture(ctx.db, { ...copy, codeHash: sha256(code), userId, now });
      ctx.logger.info("share_kept", { userId, lectureId: copy.id });
    }),
});

async function share(
  ctx: Caller,
  settings: Pick<ShareRow, "lectureId" | "mode" | "mayCopy" | "showsSlides">,
): Promise<CreatedShare> {
  const code = createSecret(shareCodeBytes);
  const { lectureId, mode, mayCopy, showsSlides } = settings;
  const userId = ctx.user.id;
  const share = { userId, lectureId, codeHash: sha256(code), mode, mayCopy, showsSlides };
  const result = await replaceShare(ctx.db, { ...share, now: ctx.clock.now() });
  if (!result) throw new AppError("not_found");
  const { created, endedIds } = result;
  await ctx.shareRooms.end(endedIds);
  if (endedIds.length > 0) sendWebhooksLater(ctx, userId);
  ctx.logger.info("share_created", { userId, shareId: created.id, mode, mayCopy });
  return { ...(await toShare(ctx, created, 0)), code };
}

async function toShare(
  { db, clock, settings }: Caller,
  { id, lectureId, userId, mode, mayCopy, showsSlides, createdAt }: ShareRow,
  readers: number,
): Promise<Share> {
  const plan = { userId, now: clock.now(), mode: settings.billing.mode };
  const { tier, readersMax, readerLanguagesMax } = await readPlanUsage(db, plan);
  return {
    id,
    lectureId,
    mode,
    mayCopy,
    showsSlides,
    readers,
    createdAt: createdAt.toISOString(),
    readersMax,
    languagesMax: readerLanguagesMax,
    hasLargerPlan: tier !== "premium",
  };
}
