import { SecretLookups } from "#server/auth/secret-lookups.ts";
import type { Services } from "#server/context.ts";
import { ExpiringSet } from "#server/expiring-set.ts";
import { countEvent } from "#server/metrics/count-event.ts";
import type { Llm, LogFields, Logger } from "#server/ports.ts";
import { violationBlockMs } from "#server/recording/room/client-budget.ts";
import { AppError } from "#shared/errors.ts";
import { PacedAccountCalls } from "./adapters/account-calls.ts";
import { connectLlm } from "./adapters/chat-completions.ts";
import { countModelErrors } from "./adapters/counted-llm.ts";
import { openDeepgramSession } from "./adapters/deepgram.ts";
import {
  connectRecordingRooms,
  connectShareRooms,
  connectUserEvents,
} from "./adapters/durable-objects.ts";
import { connectDatabase } from "./adapters/neon.ts";
import { createPasswordHasher } from "./adapters/password-hasher.ts";
import { createPublicNames } from "./adapters/public-names.ts";
import { createRateLimiter } from "./adapters/rate-limiter.ts";
import { createRemoteFiles, type OpenRemote } from "./adapters/remote-files.ts";
import { connectMailer } from "./adapters/resend.ts";
import { leadsToPublic } from "./adapters/resolve-name.ts";
import { openSonioxSession } from "./adapters/soniox.ts";
import type { OpenSpeechSession, SpeechSettings } from "./adapters/speech-session.ts";
import { connectBilling } from "./adapters/stripe.ts";
import { connectTurnstile } from "./adapters/turnstile.ts";
import { createWebhookSender } from "./adapters/webhook-sender.ts";
import { isSandboxKey } from "./billing-env.ts";
import { type Env, readEnv } from "./env.ts";
import { count } from "./metrics.ts";
import { rateLimitBindings } from "./settings.ts";

/** The services, with those that only the worker uses. */
export type WorkerServices = Services & {
  env: Env;
  accountCalls: PacedAccountCalls;
  secretLookups: SecretLookups;
  /** Recently rejected pairs of socket path and credential. */
  refusedSockets: ExpiringSet;
  openRemoteFile: OpenRemote;
};

const servicesCache = new WeakMap<Cloudflare.Env, WorkerServices>();

/**
 * Creates the services for `bindings`; cached for the isolate's lifetime.
 *
 * @throws EnvironmentError
 */
export function getServices(bindings: Cloudflare.Env): WorkerServices {
  const cached = servicesCache.get(bindings);
  if (cached) return cached;
  const env = readEnv(bindings);
  // Useful for a staging site; on a real site it would give plans away.
  if (env.appEnv === "production" && isSandboxKey(env.stripe.secretKey))
    consoleLogger.warn("stripe_sandbox_key", {
      detail: "STRIPE_SECRET_KEY is of Stripe's sandbox: plans are given without real money",
    });
  const clock = { now: () => new Date() };
  const limits = createRateLimiters(bindings);
  const siteOrigin = env.appOrigin;
  const isPublicName = createPublicNames(env.appEnv === "development" ? null : leadsToPublic);
  const network = bindings.PUBLIC_NETWORK;
  const services = {
    db: connectDatabase(env.database),
    clock,
    logger: consoleLogger,
    llm: env.hasModel ? countModelErrors(connectLlm(env.llm), count) : noModel,
    hasher: createPasswordHasher(),
    mailer: connectMailer(env.mail),
    billing: connectBilling(env.stripe),
    challenge: env.turnstile && connectTurnstile(env.turnstile),
    userEvents: connectUserEvents(bindings.USER_CHANNEL, consoleLogger),
    recordings: connectRecordingRooms(bindings.RECORDING_ROOM),
    shareRooms: connectShareRooms(bindings.SHARE_ROOM, consoleLogger),
    limits,
    accountCalls: new PacedAccountCalls(),
    secretLookups: new SecretLookups(limits.unknownSecrets, clock),
    webhookSender: createWebhookSender({ siteOrigin, isPublicName }),
    openRemoteFile: createRemoteFiles({
      siteOrigin,
      isPublicName,
      standInPrefix: env.remoteStandIn,
      ...(network && { fetch: network.fetch.bind(network) }),
    }),
    refusedSockets: new ExpiringSet(violationBlockMs),
    env,
  };
  servicesCache.set(bindings, services);
  return services;
}

/** Of a site without a language model. */
const noModel: Llm = {
  contextTokens: 128_000,
  complete: () => Promise.reject(new AppError("model_not_offered")),
  // biome-ignore lint/correctness/useYield: it has nothing to give.
  async *stream() {
    throw new AppError("model_not_offered");
  },
};

const createRateLimiters = (bindings: Cloudflare.Env): Services["limits"] =>
  Object.fromEntries(
    Object.entries(rateLimitBindings).map(([name, binding]) => [
      name,
      createRateLimiter(bindings[binding]),
    ]),
  ) as unknown as Services["limits"];

export const openSpeechSession: OpenSpeechSession<SpeechSettings> = (settings, ...request) =>
  settings.service === "Deepgram"
    ? openDeepgramSession(settings, ...request)
    : openSonioxSession(settings, ...request);

/** Writes one JSON line per event to the console, which Workers Logs reads, and counts the event. */
export const consoleLogger: Logger = {
  info: (event, fields) => console.info(noteEvent("info", event, fields)),
  warn: (event, fields) => console.warn(noteEvent("warn", event, fields)),
  error: (event, fields) => console.error(noteEvent("error", event, fields)),
};

function noteEvent(level: string, event: string, fields: LogFields | undefined): string {
  for (const counted of countEvent(event, fields)) count(counted);
  return JSON.stringify({ level, event, ...fields });
}
