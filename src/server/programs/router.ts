import * as z from "zod/mini";
import { requireRecentSignIn } from "#server/auth/recent-sign-in.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { createTokenInput, createWebhookInput } from "#shared/programs.ts";
import { createPersonalToken, listPersonalTokens, revokePersonalToken } from "./personal-tokens.ts";
import { createWebhook, deleteWebhook, enableWebhook, listWebhooks } from "./webhook-queries.ts";
import { deriveWebhookKey } from "./webhook-signature.ts";
import { isWebhookUrl } from "./webhook-url.ts";

/** Tokens of a person's programs. No token may call these. */
export const tokensRouter = router({
  list: userProcedure.query(({ ctx }) => listPersonalTokens(ctx.db, ctx.user.id)),

  /** Requires a recent sign-in. The answer has the secret's only copy. */
  create: writeProcedure
    .input(createTokenInput)
    .mutation(async ({ ctx, input: { password, ...token } }) => {
      await requireRecentSignIn(ctx, password);
      const created = await createPersonalToken(ctx.db, { ...token, ...ctx.caller });
      const { id, scope } = created.token;
      ctx.logger.info("token_created", { userId: ctx.user.id, tokenId: id, scope });
      return created;
    }),

  /** Ends a token, and what is being answered to it. */
  revoke: writeProcedure.input(z.object({ id: uuid })).mutation(async ({ ctx, input }) => {
    const userId = ctx.user.id;
    if (!(await revokePersonalToken(ctx.db, { userId, ...input }))) throw new AppError("not_found");
    ctx.logger.info("token_revoked", { userId, tokenId: input.id });
  }),
});

const webhookWrite = writeProcedure.input(z.object({ id: uuid }));

/** Addresses that are told of events. No token may call these. */
export const webhooksRouter = router({
  list: userProcedure.query(({ ctx }) => listWebhooks(ctx.db, ctx.user.id)),

  /** Requires a recent sign-in. Only this answer has the key with which messages are signed. */
  create: writeProcedure.input(createWebhookInput).mutation(async ({ ctx, input }) => {
    const { guestTicketSecret, origin } = ctx.settings;
    if (!isWebhookUrl(input.url, origin))
      throw new AppError("validation_failed", { detail: "not a public https address" });
    await requireRecentSignIn(ctx, input.password);
    const { href: url } = new URL(input.url);
    // If nobody knows, the sender asks again before each message.
    if ((await ctx.webhookSender.isAllowed(url)) === false)
      throw new AppError("validation_failed", { detail: "leads to no public address" });
    const webhook = await createWebhook(ctx.db, { url, ...ctx.caller });
    ctx.logger.info("webhook_created", { userId: ctx.user.id, webhookId: webhook.id });
    return { key: deriveWebhookKey(guestTicketSecret, webhook.id), webhook };
  }),

  delete: webhookWrite.mutation(async ({ ctx, input }) => {
    if (!(await deleteWebhook(ctx.db, { ...input, userId: ctx.user.id })))
      throw new AppError("not_found");
  }),

  /** Sends events to a webhook again that was disabled. */
  enable: webhookWrite.mutation(async ({ ctx, input }) => {
    if (!(await enableWebhook(ctx.db, { ...input, userId: ctx.user.id })))
      throw new AppError("not_found");
  }),
});
