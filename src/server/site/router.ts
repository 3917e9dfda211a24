import type { SiteInfo } from "../../shared/site.ts";
import { publicProcedure, router } from "../trpc.ts";

export const siteRouter = router({
  info: publicProcedure.query(({ ctx }): SiteInfo => {
    const { standIns, outboxUrl, challenge } = ctx.settings;
    return { standIns, outboxUrl, challenge };
  }),
});
