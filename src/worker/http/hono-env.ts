import type { CurrentGuest, CurrentSession } from "#server/context.ts";
import type { WorkerServices } from "#worker/services.ts";

/** Hono environment: what the middleware sets for every request to `/api` and `/trpc`. */
export interface AppEnv {
  Bindings: Cloudflare.Env;
  Variables: {
    requestId: string;
    services: WorkerServices;
    session: CurrentSession | null;
    recovery: CurrentSession | null;
    guest: CurrentGuest | null;
  };
}
