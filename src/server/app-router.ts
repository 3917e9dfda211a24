import { aiRouter } from "./ai/router.ts";
import { authRouter } from "./auth/router.ts";
import { foldersRouter } from "./folders/router.ts";
import { libraryRouter } from "./lectures/library-router.ts";
import { lecturesRouter } from "./lectures/router.ts";
import { profilesRouter } from "./profiles/router.ts";
import { recordingRouter } from "./recording/router.ts";
import { siteRouter } from "./site/router.ts";
import { subscriptionsRouter } from "./subscriptions/router.ts";
import { trashRouter } from "./trash/router.ts";
import { mergeRouters, router } from "./trpc.ts";

export const appRouter = router({
  ai: aiRouter,
  auth: authRouter,
  folders: foldersRouter,
  lectures: mergeRouters(lecturesRouter, libraryRouter),
  profiles: profilesRouter,
  recording: recordingRouter,
  site: siteRouter,
  subscriptions: subscriptionsRouter,
  trash: trashRouter,
});

/** The client imports this as a type. */
export type AppRouter = typeof appRouter;
