import type { CurrentGuest, CurrentRecovery, CurrentSession, Services } from "../server/context.ts";
import type { Env } from "./env.ts";

/** What the middleware has put in place for every request to `/api` and `/trpc`. */
export interface AppEnv {
  Bindings: Cloudflare.Env;
  Variables: {
    requestId: string;
    services: Services & { env: Env };
    session: CurrentSession | null;
    recovery: CurrentRecovery | null;
    guest: CurrentGuest | null;
  };
}
