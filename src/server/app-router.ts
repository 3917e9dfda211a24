import { aiRouter } from "./ai/router.ts";
import { authRouter } from "./auth/router.ts";
import { foldersRouter } from "./folders/router.ts";
import { lecturesRouter } from "./lectures/router.ts";
import { profilesRouter } from "./profiles/router.ts";
import { recordingRouter } from "./recording/router.ts";
import { siteRouter } from "./site/router.ts";
import { simulationProcedures, subscriptionProcedures } from "./subscriptions/router.ts";
import { trashRouter } from "./trash/router.ts";
import { router } from "./trpc.ts";

const routers = {
  ai: aiRouter,
  auth: authRouter,
  folders: foldersRouter,
  lectures: lecturesRouter,
  profiles: profilesRouter,
  recording: recordingRouter,
  site: siteRouter,
  trash: trashRouter,
};

/** Where payments may be simulated (BILLING_MODE=test): every procedure there is. */
export const appRouter = router({
  ...routers,
  subscriptions: router({ ...subscriptionProcedures, ...simulationProcedures }),
});

/** Where payments are real. */
export const liveRouter = router({ ...routers, subscriptions: router(subscriptionProcedures) });

/** The client imports this as a type. */
export type AppRouter = typeof appRouter;
