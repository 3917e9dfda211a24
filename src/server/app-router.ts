import { aiRouter } from "./ai/router.ts";
import { authRouter } from "./auth/router.ts";
import { lecturesRouter } from "./lectures/router.ts";
import { profilesRouter } from "./profiles/router.ts";
import { recordingRouter } from "./recording/router.ts";
import { siteRouter } from "./site/router.ts";
import { subscriptionsRouter } from "./subscriptions/router.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  ai: aiRouter,
  auth: authRouter,
  lectures: lecturesRouter,
  profiles: profilesRouter,
  recording: recordingRouter,
  site: siteRouter,
  subscriptions: subscriptionsRouter,
});

/** The client imports this as a type. */
export type AppRouter = typeof appRouter;
