import type { Services } from "../server/context.ts";
import { createPasswordHasher } from "./adapters/argon2.ts";
import { connectLlm } from "./adapters/chat-completions.ts";
import { consoleLogger } from "./adapters/console-logger.ts";
import { connectDatabase } from "./adapters/neon.ts";
import { rateLimiter } from "./adapters/rate-limiter.ts";
import { recordingRooms } from "./adapters/recording-rooms.ts";
import { connectMailer } from "./adapters/resend.ts";
import { connectBilling } from "./adapters/stripe.ts";
import { connectUserEvents } from "./adapters/user-events.ts";
import { isSandboxKey } from "./billing-env.ts";
import { type Env, readEnv } from "./env.ts";

const built = new WeakMap<Cloudflare.Env, Services & { env: Env }>();

/**
 * The services that `bindings` stand for, built once for each isolate.
 *
 * @throws EnvironmentError
 */
export function servicesFor(bindings: Cloudflare.Env): Services & { env: Env } {
  const before = built.get(bindings);
  if (before) return before;
  const env = readEnv(bindings);
  // A staging site may want it; where people are meant to pay, plans are given away.
  if (env.appEnv === "production" && isSandboxKey(env.stripe))
    consoleLogger.warn("stripe_sandbox_key", {
      detail: "STRIPE_SECRET_KEY is of Stripe's sandbox: plans are given without real money",
    });
  const services = {
    db: connectDatabase(env.database),
    clock: { now: () => new Date() },
    logger: consoleLogger,
    llm: connectLlm(env.llm),
    hasher: createPasswordHasher(),
    mailer: connectMailer(env.mail),
    billing: connectBilling(env.stripe),
    userEvents: connectUserEvents(bindings.USER_CHANNEL, consoleLogger),
    recordings: recordingRooms(bindings.RECORDING_ROOM),
    limits: {
      credentials: rateLimiter(bindings.LIMIT_CREDENTIALS),
      mails: rateLimiter(bindings.LIMIT_MAILS),
      links: rateLimiter(bindings.LIMIT_LINKS),
      guestTickets: rateLimiter(bindings.LIMIT_GUEST_TICKETS),
      translations: rateLimiter(bindings.LIMIT_TRANSLATIONS),
      contexts: rateLimiter(bindings.LIMIT_CONTEXTS),
      summaries: rateLimiter(bindings.LIMIT_SUMMARIES),
      recordings: rateLimiter(bindings.LIMIT_RECORDINGS),
      billing: rateLimiter(bindings.LIMIT_BILLING),
    },
    env,
  };
  built.set(bindings, services);
  return services;
}
