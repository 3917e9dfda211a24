import type { UserChannelCalls } from "#server/ports.ts";
import type { RoomCalls } from "./adapters/recording-rooms.ts";
import { listBillingProblems, resolveBilling } from "./billing-env.ts";
import { isPrivateHost } from "./private-network.ts";
import {
  createIsSet,
  hasIntegration,
  type Integration,
  listMissingSettings,
  type RateLimitBinding,
  rateLimitBindings,
  type Variables,
  variablesSchema,
} from "./settings.ts";
import { listTurnstileProblems, resolveTurnstile } from "./turnstile-env.ts";

declare global {
  namespace Cloudflare {
    /** The bindings of wrangler.toml, and the variables and secrets of docs/deploy.md. */
    interface Env extends Record<RateLimitBinding, RateLimit> {
      /** Static files of the build; unknown addresses get the app's HTML document. */
      ASSETS: Fetcher;
      RECORDING_ROOM: DurableObjectNamespace<RoomCalls>;
      /** Absent in local development. */
      VERSION?: WorkerVersionMetadata;
      USER_CHANNEL: DurableObjectNamespace<UserChannelCalls & Rpc.DurableObjectBranded>;
    }
  }
}

/** The worker's settings, checked, with every integration resolved to the service or its stand-in. */
export type Env = ReturnType<typeof resolveEnv>;

/** Missing or invalid settings. `problems` names variables and rules, never values. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
  constructor(readonly problems: string[]) {
    super(`The worker's environment is not usable: ${problems.join("; ")}`);
  }
}

/** Concurrent streams of a standard Soniox account. */
const defaultStreams = 10;

/** Services with an address that the operator chooses. */
const serviceUrls = ["SONIOX_URL", "LLM_BASE_URL", "RESEND_URL", "STRIPE_URL"] as const;

const envCache = new WeakMap<object, Env>();

/**
 * Reads and validates the bindings; cached per binding object.
 *
 * An integration without any of its variables uses the stand-in under LOCAL_STACK_URL, which exists only in
 * development.
 *
 * @throws EnvironmentError
 */
export function readEnv(bindings: Cloudflare.Env): Env {
  const cached = envCache.get(bindings);
  if (cached) return cached;
  const parsed = variablesSchema.safeParse(bindings);
  if (!parsed.success) {
    throw new EnvironmentError(
      parsed.error.issues.map(({ path, code }) => `${path.join(".")}: ${code}`),
    );
  }
  const problems = [...listProblems(parsed.data), ...listUnboundLimits(bindings)];
  if (problems.length > 0) throw new EnvironmentError(problems);
  const env = resolveEnv(parsed.data);
  envCache.set(bindings, env);
  return env;
}

function listProblems(v: Variables): string[] {
  const isProduction = v.APP_ENV === "production";
  const problems = listMissingSettings(createIsSet(v), v.APP_ENV).map((name) => `${name}: missing`);
  problems.push(...listBillingProblems(v), ...listTurnstileProblems(v));
  if (isProduction && v.LOCAL_STACK_URL)
    problems.push("LOCAL_STACK_URL: not allowed in production");
  if (isProduction) problems.push(...listUnencryptedUrls(v));
  return problems;
}

/** These connections carry passwords, keys and transcripts. */
function listUnencryptedUrls(v: Variables): string[] {
  const isPlain = (url: string) => /^(http|ws):/i.test(url);
  const isAllowed = (url: string) =>
    v.ALLOW_PRIVATE_NETWORK && isPrivateHost(new URL(url).hostname);
  const problems = serviceUrls
    .filter((name) => isPlain(v[name] ?? "") && !isAllowed(v[name] ?? ""))
    .map(
      (name) =>
        `${name}: http: and ws: are not allowed in production, ` +
        "but to private addresses with ALLOW_PRIVATE_NETWORK",
    );
  if (isPlain(v.APP_ORIGIN ?? "")) problems.push("APP_ORIGIN: must be https: in production");
  return problems;
}

/** Without its binding a rate limit would have no effect, or fail at its first use. */
const listUnboundLimits = (bindings: Cloudflare.Env): string[] =>
  Object.values(rateLimitBindings)
    .filter((name) => typeof bindings[name]?.limit !== "function")
    .map((name) => `${name}: not bound`);

function resolveEnv(v: Variables) {
  const local = v.LOCAL_STACK_URL?.replace(/\/$/, "") ?? "";
  const isStandIn = (integration: Integration) => !hasIntegration(integration, createIsSet(v));
  const speech = isStandIn("speech");
  const llm = isStandIn("llm");
  const mail = isStandIn("mail");
  const contextTokens = v.LLM_CONTEXT_TOKENS;
  const { stripe, billing, standIn: payments } = resolveBilling(v, local);
  return {
    appEnv: v.APP_ENV,
    /** `fetchEndpoint`: Neon's HTTP protocol; null for the address derived from `url`. */
    database: v.DATABASE_URL
      ? { url: v.DATABASE_URL, fetchEndpoint: null }
      : { url: "postgresql://dualect:local@localhost/dualect", fetchEndpoint: `${local}/neon/sql` },
    /** `streams`: concurrent streams of the service; null for no limit. */
    soniox: speech
      ? {
          url: `${local.replace(/^http/, "ws")}/soniox/transcribe-websocket`,
          apiKey: "stand-in",
          streams: v.SONIOX_STREAMS ?? null,
        }
      : {
          url: v.SONIOX_URL ?? "wss://stt-rt.soniox.com/transcribe-websocket",
          apiKey: v.SONIOX_API_KEY ?? "",
          streams: v.SONIOX_STREAMS ?? defaultStreams,
        },
    /** `contextTokens`: size of the context window, prompt and answer together. */
    llm: llm
      ? { baseUrl: `${local}/llm/v1`, apiKey: "stand-in", model: "stand-in", contextTokens }
      : {
          baseUrl: v.LLM_BASE_URL ?? "https://api.openai.com/v1",
          apiKey: v.LLM_API_KEY ?? "none",
          model: v.LLM_MODEL ?? "",
          contextTokens,
        },
    mail: mail
      ? { baseUrl: `${local}/mail`, apiKey: "stand-in", from: "Dualect <hello@dualect.test>" }
      : {
          baseUrl: v.RESEND_URL ?? "https://api.resend.com",
          apiKey: v.RESEND_API_KEY ?? "",
          from: v.MAIL_FROM ?? "",
        },
    stripe,
    billing,
    /** Null if the site uses no challenge. */
    turnstile: resolveTurnstile(v, local),
    guestMinutesPerDay: v.GUEST_MINUTES_PER_DAY,
    dailyLimits: { accounts: v.ACCOUNTS_PER_DAY, mails: v.MAILS_PER_DAY },
    modelBudget: { guests: v.MODEL_GUEST_CHARACTERS_PER_DAY, site: v.MODEL_CHARACTERS_PER_DAY },
    /** Origin of links in mails; null in development, where the request's origin is used. */
    appOrigin: v.APP_ORIGIN ?? null,
    guestTicketSecret: v.GUEST_TICKET_SECRET,
    /** Which services are replaced by a stand-in. */
    standIns: { speech, llm, mail, payments },
    /** Page of the embedded outbox; null if mails are really sent. */
    outboxUrl: mail ? `${local}/mail/` : null,
  };
}
