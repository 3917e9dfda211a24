import * as z from "zod/mini";
import { requireRecentSignIn } from "#server/auth/recent-sign-in.ts";
import { publicProcedure, userProcedure } from "#server/trpc.ts";
import { reauthentication } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { type PlansInfo, paidTiers, type SubscriptionInfo } from "#shared/plans.ts";
import { toSubscriptionInfo } from "./effective-tier.ts";
import { openPortal, scheduleEnd, startCheckout } from "./plan-changes.ts";
import { toPlanDefinition } from "./prices.ts";
import { readPlans, readPlanUsage } from "./queries.ts";
import { scheduleSimulatedEnd, simulatePayment } from "./simulated-payments.ts";

const checkoutInput = z.extend(reauthentication, {
  priceId: z.string().check(z.minLength(1), z.maxLength(200)),
  /** The user confirmed the change of the existing plan. */
  change: z.optional(z.boolean()),
});

/** Rate-limited, because these procedures call Stripe's API. */
const billingProcedure = userProcedure.use(async ({ ctx, next }) => {
  if (!(await ctx.limits.billing.allow(`user:${ctx.user.id}`)))
    throw new AppError("rate_limited", { retryAfterSeconds: 60 });
  return next();
});

export const subscriptionProcedures = {
  check: userProcedure.query(async ({ ctx }): Promise<SubscriptionInfo> => {
    const { mode } = ctx.settings.billing;
    const plan = await readPlanUsage(ctx.db, { ...ctx.caller, mode });
    const { subscription, hourLimit, usedMs } = plan;
    return {
      ...toSubscriptionInfo(subscription, ctx.caller.now),
      hourLimit,
      timeUsedThisMonth: Math.floor(usedMs / 1000),
    };
  }),

  plans: publicProcedure.query(async ({ ctx }): Promise<PlansInfo> => {
    const { billing } = ctx.settings;
    const rows = await readPlans(ctx.db);
    return {
      plans: rows.map((row) => toPlanDefinition(row, billing)),
      annualSavingPercent: billing.annualSavingPercent,
      simulation: billing.mode === "test",
    };
  }),

  /**
   * With `change`, the user's paid plan is changed and the difference charged immediately to the stored card,
   * so a recent sign-in is required.
   */
  checkout: billingProcedure
    .input(checkoutInput)
    .mutation(async ({ ctx, input: { priceId, change = false, password } }) => {
      if (change) await requireRecentSignIn(ctx, password);
      return startCheckout(ctx, { priceId, change });
    }),

  portal: billingProcedure.mutation(async ({ ctx }) => ({ url: await openPortal(ctx) })),

  /** Downgrades to Free at the end of the paid period. */
  downgrade: billingProcedure.mutation(({ ctx }) => scheduleEnd(ctx, true)),

  /** Reverts a scheduled downgrade. Requires a recent sign-in, because the stored card is charged again. */
  resume: billingProcedure.input(z.optional(reauthentication)).mutation(async ({ ctx, input }) => {
    await requireRecentSignIn(ctx, input?.password);
    await scheduleEnd(ctx, false);
  }),
};

/** Exist only where BILLING_MODE is `test`. */
export const simulationProcedures = {
  simulatePayment: userProcedure
    .input(z.object({ tier: z.enum(paidTiers) }))
    .mutation(async ({ ctx, input }) => {
      const newEnd = await simulatePayment(ctx.db, { ...input, ...ctx.caller });
      await ctx.userEvents.reportProfileChange(ctx.user.id);
      return { newEndDate: newEnd.toISOString() };
    }),

  simulateDowngrade: userProcedure.mutation(async ({ ctx }) => {
    if (!(await scheduleSimulatedEnd(ctx.db, { ...ctx.caller, cancel: true })))
      throw new AppError("conflict", { detail: "no simulated plan" });
    await ctx.userEvents.reportProfileChange(ctx.user.id);
    return { message: "downgrade_scheduled" as const };
  }),
};
