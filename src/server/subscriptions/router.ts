import type { SubscriptionInfo } from "../../shared/plans.ts";
import { router, userProcedure } from "../trpc.ts";
import { readPlanUsage } from "./queries.ts";

export const subscriptionsRouter = router({
  current: userProcedure.query(async ({ ctx }): Promise<SubscriptionInfo> => {
    const now = ctx.clock.now();
    const { subscription, tier, hourLimit, usedMs } = await readPlanUsage(ctx.db, {
      userId: ctx.user.id,
      now,
    });
    // A cancelled subscription whose period has passed is Free, as if there had been none.
    const lapsed = subscription !== null && tier !== subscription.tier;
    return {
      subscriptionTier: tier,
      subscriptionStatus: subscription && !lapsed ? subscription.status : "inactive",
      subscriptionEnd: (!lapsed && subscription?.currentPeriodEnd?.toISOString()) || null,
      hourLimit,
      timeUsedThisMonth: Math.floor(usedMs / 1000),
    };
  }),
});
