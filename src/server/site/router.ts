import { publicProcedure, router } from "#server/trpc.ts";
import type { SiteInfo } from "#shared/site.ts";

export const siteRouter = router({
  info: publicProcedure.query(({ ctx }): SiteInfo => {
    const { standIns, outboxUrl, challenge } = ctx.settings;
    return { standIns, outboxUrl, challenge };
  }),
});
