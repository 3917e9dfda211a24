import * as z from "zod";
import type { BillingSettings } from "../server/context.ts";
import type { UserChannelCalls } from "../server/ports.ts";
import {
  billingProblems,
  billingVariables,
  resolveBilling,
  type StripeSettings,
} from "./billing-env.ts";
import type { RoomCalls } from "./durable/room-calls.ts";

declare global {
  namespace Cloudflare {
    /** What wrangler.toml binds, and the variables and secrets of docs/deploy.md. */
    interface Env {
      /** What the build made, and its document for addresses that nothing else has. */
      ASSETS: Fetcher;
      RECORDING_ROOM: DurableObjectNamespace<RoomCalls>;
      USER_CHANNEL: DurableObjectNamespace<UserChannelCalls & Rpc.DurableObjectBranded>;
      LIMIT_CREDENTIALS: RateLimit;
      LIMIT_MAILS: RateLimit;
      LIMIT_LINKS: RateLimit;
      LIMIT_GUEST_TICKETS: RateLimit;
      LIMIT_TRANSLATIONS: RateLimit;
      LIMIT_CONTEXTS: RateLimit;
      LIMIT_SUMMARIES: RateLimit;
      LIMIT_RECORDINGS: RateLimit;
      LIMIT_BILLING: RateLimit;
    }
  }
}

/** The worker's settings, checked, with every integration resolved to the service or its stand-in. */
export interface Env {
  appEnv: "production" | "development";
  database: {
    url: string;
    /** Where Neon's HTTP protocol is answered; null for the address that follows from `url`. */
    fetchEndpoint: string | null;
  };
  /** `streams`: how many the service serves at the same time; null for no limit. */
  soniox: { url: string; apiKey: string; streams: number | null };
  llm: {
    baseUrl: string;
    apiKey: string;
    model: string;
    /** Tokens that a prompt and its answer may have together. */
    contextTokens: number;
  };
  mail: { baseUrl: string; apiKey: string; from: string };
  stripe: StripeSettings;
  billing: BillingSettings;
  /** Minutes that a guest may record a day. */
  guestMinutesPerDay: number;
  /** Where links in mails lead; null in development, where it is the address that was called. */
  appOrigin: string | null;
  guestTicketSecret: string;
  /** Which services a stand-in serves. */
  standIns: { speech: boolean; llm: boolean; mail: boolean; payments: boolean };
  /** Where the stand-in of the e-mail service shows what it took; null where mails are sent. */
  outboxUrl: string | null;
}

/** The settings are missing or wrong: `problems` names variables and rules, never values. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
  constructor(readonly problems: string[]) {
    super(`The worker's environment is not usable: ${problems.join("; ")}`);
  }
}

/** What the service serves at the same time unless more was agreed. */
const defaultStreams = 10;

const text = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/ });
/** The window of a model that is not said to have another; usual models have as much or more. */
const usualContextTokens = 128_000;

const variables = z.object({
  APP_ENV: z.enum(["production", "development"]).default("production"),
  LOCAL_STACK_URL: httpUrl.optional(),
  DATABASE_URL: text.optional(),
  SONIOX_API_KEY: text.optional(),
  SONIOX_URL: z.url({ protocol: /^wss?$/ }).optional(),
  SONIOX_STREAMS: z.coerce.number().int().min(1).optional(),
  LLM_API_KEY: text.optional(),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_MODEL: text.optional(),
  LLM_CONTEXT_TOKENS: z.coerce.number().int().min(4_000).default(usualContextTokens),
  RESEND_API_KEY: text.optional(),
  RESEND_URL: httpUrl.optional(),
  MAIL_FROM: text.optional(),
  APP_ORIGIN: httpUrl.refine((url) => URL.canParse(url) && new URL(url).origin === url).optional(),
  GUEST_TICKET_SECRET: text.min(32),
  GUEST_MINUTES_PER_DAY: z.coerce.number().int().min(0).max(1_440).default(30),
  ...billingVariables,
});
type Variables = z.infer<typeof variables>;

const known = new WeakMap<object, Env>();

/**
 * Reads the bindings, once for each set of them.
 *
 * An integration whose variables are absent as a whole is the stand-in under LOCAL_STACK_URL, which
 * only development has.
 *
 * @throws EnvironmentError
 */
export function readEnv(bindings: Cloudflare.Env): Env {
  const before = known.get(bindings);
  if (before) return before;
  const parsed = variables.safeParse(bindings);
  if (!parsed.success) {
    throw new EnvironmentError(
      parsed.error.issues.map(({ path, code }) => `${path.join(".")}: ${code}`),
    );
  }
  const problems = contradictions(parsed.data);
  if (problems.length > 0) throw new EnvironmentError(problems);
  const env = resolve(parsed.data);
  known.set(bindings, env);
  return env;
}

const hasSoniox = (v: Variables) => v.SONIOX_API_KEY !== undefined || v.SONIOX_URL !== undefined;
const hasLlm = (v: Variables) =>
  v.LLM_API_KEY !== undefined || v.LLM_BASE_URL !== undefined || v.LLM_MODEL !== undefined;
const hasMail = (v: Variables) =>
  v.RESEND_API_KEY !== undefined || v.RESEND_URL !== undefined || v.MAIL_FROM !== undefined;

function contradictions(v: Variables): string[] {
  const problems: string[] = [];
  if (v.APP_ENV === "production" && v.LOCAL_STACK_URL)
    problems.push("LOCAL_STACK_URL: not allowed in production");
  const mustHave = v.APP_ENV === "production" || !v.LOCAL_STACK_URL;
  if (mustHave && !v.DATABASE_URL) problems.push("DATABASE_URL: missing");
  if ((mustHave || hasSoniox(v)) && !v.SONIOX_API_KEY) problems.push("SONIOX_API_KEY: missing");
  if (mustHave || hasLlm(v)) {
    // A model on one's own machine needs an address and no key.
    if (!v.LLM_API_KEY && !v.LLM_BASE_URL) problems.push("LLM_API_KEY: missing");
    if (!v.LLM_MODEL) problems.push("LLM_MODEL: missing");
  }
  if (mustHave || hasMail(v)) {
    if (!v.RESEND_API_KEY) problems.push("RESEND_API_KEY: missing");
    if (!v.MAIL_FROM) problems.push("MAIL_FROM: missing");
  }
  const production = v.APP_ENV === "production";
  problems.push(...billingProblems(v, { required: mustHave, production }));
  // A request's own Host header is the caller's to choose, and would lead a reset link anywhere.
  if (production && !v.APP_ORIGIN) problems.push("APP_ORIGIN: missing");
  return problems;
}

function resolve(v: Variables): Env {
  const local = v.LOCAL_STACK_URL?.replace(/\/$/, "") ?? "";
  const speech = !hasSoniox(v);
  const llm = !hasLlm(v);
  const mail = !hasMail(v);
  const contextTokens = v.LLM_CONTEXT_TOKENS;
  const { stripe, billing, standIn: payments } = resolveBilling(v, local);
  return {
    appEnv: v.APP_ENV,
    database: v.DATABASE_URL
      ? { url: v.DATABASE_URL, fetchEndpoint: null }
      : { url: "postgresql://dualect:local@localhost/dualect", fetchEndpoint: `${local}/neon/sql` },
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
    guestMinutesPerDay: v.GUEST_MINUTES_PER_DAY,
    appOrigin: v.APP_ORIGIN ?? null,
    guestTicketSecret: v.GUEST_TICKET_SECRET,
    standIns: { speech, llm, mail, payments },
    outboxUrl: mail ? `${local}/mail/` : null,
  };
}
