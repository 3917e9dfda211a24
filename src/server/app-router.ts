import type { SiteInfo } from "#shared/site.ts";
import { actionItemsRouter } from "./action-items/router.ts";
import { aiRouter } from "./ai/router.ts";
import { askRouter } from "./ask/router.ts";
import { changeProcedures } from "./auth/account-changes.ts";
import { linkProcedures } from "./auth/email-links.ts";
import { signInProcedures } from "./auth/sign-in.ts";
import { backupsRouter } from "./backups/router.ts";
import { foldersRouter } from "./folders/router.ts";
import { glossaryRouter } from "./glossary/router.ts";
import { lecturesRouter } from "./lectures/router.ts";
import { marksRouter } from "./marks/router.ts";
import { connectionsRouter } from "./oauth/router.ts";
import { peopleRouter } from "./people/router.ts";
import { profilesRouter } from "./profiles/router.ts";
import { tokensRouter, webhooksRouter } from "./programs/router.ts";
import { quizRouter } from "./quiz/router.ts";
import { recordingRouter } from "./recording/router.ts";
import { sharesRouter } from "./sharing/router.ts";
import { slidesRouter } from "./slides/router.ts";
import type { BillingMode } from "./subscriptions/queries.ts";
import { simulationProcedures, subscriptionProcedures } from "./subscriptions/router.ts";
import { takesRouter } from "./takes/router.ts";
import { trashRouter } from "./trash/router.ts";
import { publicProcedure, router } from "./trpc.ts";

const siteRouter = router({
  info: publicProcedure.query(({ ctx }): SiteInfo => {
    const { speechService, recognizer, translationPace, lacksModel, lacksPlans } = ctx.settings;
    const { standIns, isDemoDefault, outboxUrl, challenge } = ctx.settings;
    return {
      speechService,
      recognizer,
      ...(translationPace && { translationPace }),
      lacksModel,
      lacksPlans,
      standIns,
      isDemoDefault,
      outboxUrl,
      challenge,
    };
  }),
});

const routers = {
  actionItems: actionItemsRouter,
  ai: aiRouter,
  ask: askRouter,
  /** docs/accounts.md says what each takes and answers. */
  auth: router({ ...signInProcedures, ...linkProcedures, ...changeProcedures }),
  backups: backupsRouter,
  connections: connectionsRouter,
  folders: foldersRouter,
  glossary: glossaryRouter,
  lectures: lecturesRouter,
  marks: marksRouter,
  people: peopleRouter,
  profiles: profilesRouter,
  quiz: quizRouter,
  recording: recordingRouter,
  shares: sharesRouter,
  site: siteRouter,
  slides: slidesRouter,
  takes: takesRouter,
  tokens: tokensRouter,
  trash: trashRouter,
  webhooks: webhooksRouter,
};

/** Every procedure, for deployments that may simulate payments (BILLING_MODE=test). */
export const appRouter = router({
  ...routers,
  subscriptions: router({ ...subscriptionProcedures, ...simulationProcedures }),
});

/** The procedures of deployments with real payments. */
export const liveRouter = router({ ...routers, subscriptions: router(subscriptionProcedures) });

/** The procedures of deployments without payments. */
const freeRouter = router({
  ...routers,
  subscriptions: router({ check: subscriptionProcedures.check }),
});

export function selectRouter(mode: BillingMode) {
  if (mode === "test") return appRouter;
  return mode === "live" ? liveRouter : freeRouter;
}

/** The client imports this as a type. */
export type AppRouter = typeof appRouter;
