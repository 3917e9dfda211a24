import * as z from "zod";
import type { Services } from "#server/context.ts";
import { signUpRules } from "#shared/site.ts";

/**
 * Settings of a deployment: schema of the variables and secrets of docs/deploy.md, which of them production
 * requires, and the rate limits of wrangler.toml. `env.ts` reads the values; the embedded stack and
 * `npm run deploy` use the names.
 */

const text = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/ });
/** Context window of a model without a configured one; common models have at least this. */
const defaultContextTokens = 128_000;
/** In a smaller window there is no room for a part of a lecture beside the instructions. */
const minContextTokens = 2_000;

const domain = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be names of mail domains");
const listDomains = (list: string): string[] =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== "");

export const variablesSchema = z.object({
  APP_ENV: z.enum(["production", "self-hosted", "development"]).default("production"),
  LOCAL_STACK_URL: httpUrl.optional(),
  DATABASE_URL: text.optional(),
  SPEECH: z.literal("demo").optional(),
  SPEECH_PROVIDER: z.enum(["soniox", "deepgram"]).default("soniox"),
  SPEECH_PACE: z.coerce.number().min(1).max(100).optional(),
  SONIOX_API_KEY: text.optional(),
  SONIOX_URL: z.url({ protocol: /^wss?$/ }).optional(),
  SONIOX_STREAMS: z.coerce.number().int().min(1).optional(),
  SONIOX_OPENINGS: z.coerce.number().int().min(1).optional(),
  SONIOX_ENDPOINT_SENSITIVITY: z.coerce.number().min(-1).max(1).optional(),
  DEEPGRAM_API_KEY: text.optional(),
  DEEPGRAM_URL: z.url({ protocol: /^wss?$/ }).optional(),
  DEEPGRAM_MODEL: text.default("nova-3"),
  DEEPGRAM_FINALIZE: z.stringbool().default(true),
  DEEPGRAM_STREAMS: z.coerce.number().int().min(1).optional(),
  TRANSLATION_PACE: z.enum(["fast", "careful"]).optional(),
  LLM_API_KEY: text.optional(),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_MODEL: text.optional(),
  LLM_CONTEXT_TOKENS: z.coerce.number().int().min(minContextTokens).default(defaultContextTokens),
  RESEND_API_KEY: text.optional(),
  RESEND_URL: httpUrl.optional(),
  MAIL_FROM: text.optional(),
  SECURITY_CONTACT: z.url({ protocol: /^(mailto|https|tel)$/ }).optional(),
  APP_ORIGIN: httpUrl
    .refine((url) => URL.canParse(url) && new URL(url).origin === url, {
      error: "nothing may follow the host",
    })
    .optional(),
  ALLOW_PRIVATE_NETWORK: z.stringbool().default(false),
  GUEST_TICKET_SECRET: text.min(32),
  METRICS_SECRET: text.min(32).optional(),
  SIGN_UP: z.enum(signUpRules).optional(),
  SIGN_UP_DOMAINS: z.string().transform(listDomains).pipe(z.array(domain).min(1)).optional(),
  SIGN_ON_HEADER: z
    .string()
    .regex(/^[\w-]+$/)
    .toLowerCase()
    .optional(),
  HOURS_PER_MONTH: z.coerce.number().min(0).max(10_000).optional(),
  GUEST_MINUTES_PER_DAY: z.coerce.number().int().min(0).max(1_440).optional(),
  ACCOUNTS_PER_DAY: z.coerce.number().int().min(1).default(2_000),
  MAILS_PER_DAY: z.coerce.number().int().min(1).default(5_000),
  MODEL_GUEST_CHARACTERS_PER_DAY: z.coerce.number().int().min(0).default(200_000_000),
  MODEL_CHARACTERS_PER_DAY: z.coerce.number().int().min(0).default(1_000_000_000),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_URL: httpUrl.optional(),
  STRIPE_PRO_PRODUCT: text.optional(),
  STRIPE_PRO_MONTHLY_PRICE: text.optional(),
  STRIPE_PRO_ANNUAL_PRICE: text.optional(),
  STRIPE_PREMIUM_PRODUCT: text.optional(),
  STRIPE_PREMIUM_MONTHLY_PRICE: text.optional(),
  STRIPE_PREMIUM_ANNUAL_PRICE: text.optional(),
  TURNSTILE_SITE_KEY: text.optional(),
  TURNSTILE_SECRET_KEY: text.optional(),
  BILLING_MODE: z.enum(["live", "test"]).default("live"),
  ANNUAL_SAVING_PERCENT: z.coerce.number().min(0).max(90).default(20),
});
export type Variables = z.infer<typeof variablesSchema>;
export type SettingName = keyof Variables;
export type AppEnv = Variables["APP_ENV"];

/** Where the services are, unless a setting says otherwise. */
export const defaultUrls = {
  soniox: "wss://stt-rt.soniox.com/transcribe-websocket",
  deepgram: "wss://api.deepgram.com/v1/listen",
  llm: "https://api.openai.com/v1",
  mail: "https://api.resend.com",
} as const;

export const settingNames = Object.keys(variablesSchema.shape) as SettingName[];

export const stripeSecretNames = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] as const;
export const stripeIdNames = [
  "STRIPE_PRO_PRODUCT",
  "STRIPE_PRO_MONTHLY_PRICE",
  "STRIPE_PRO_ANNUAL_PRICE",
  "STRIPE_PREMIUM_PRODUCT",
  "STRIPE_PREMIUM_MONTHLY_PRICE",
  "STRIPE_PREMIUM_ANNUAL_PRICE",
] as const;

/** An integration is enabled by any setting in `chosenBy`, and then requires all of `needs`. */
const integrations = {
  database: { chosenBy: ["DATABASE_URL"], needs: ["DATABASE_URL"] },
  speech: {
    chosenBy: ["SONIOX_API_KEY", "SONIOX_URL", "DEEPGRAM_API_KEY", "DEEPGRAM_URL"],
    needs: ["SONIOX_API_KEY"],
  },
  llm: {
    chosenBy: ["LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL"],
    needs: ["LLM_API_KEY", "LLM_MODEL"],
  },
  mail: {
    chosenBy: ["RESEND_API_KEY", "RESEND_URL", "MAIL_FROM"],
    needs: ["RESEND_API_KEY", "MAIL_FROM"],
  },
  payments: { chosenBy: stripeSecretNames, needs: [...stripeSecretNames, ...stripeIdNames] },
} satisfies Record<string, { chosenBy: readonly SettingName[]; needs: readonly SettingName[] }>;
export type Integration = keyof typeof integrations;

type IsSet = (name: SettingName) => boolean;

export const createIsSet =
  (v: Variables): IsSet =>
  (name) =>
    v[name] !== undefined;

export const hasIntegration = (integration: Integration, isSet: IsSet): boolean =>
  integrations[integration].chosenBy.some(isSet);

/** Which integrations a kind of site must have, also where nothing of them is configured. */
function isRequired(integration: Integration, isSet: IsSet, appEnv: AppEnv): boolean {
  switch (appEnv) {
    case "production":
      return true;
    case "self-hosted":
      return integration === "database" || integration === "mail";
    case "development":
      return !isSet("LOCAL_STACK_URL");
  }
}

/**
 * Lists required settings that are missing. Production requires every integration, a self-hosted site its database and
 * mail; whatever is partly configured is required as well. In development the embedded stack has the others.
 */
export function listMissingSettings(isSet: IsSet, appEnv: AppEnv): SettingName[] {
  const needed = Object.keys(integrations)
    .map((name) => name as Integration)
    .filter((one) => isRequired(one, isSet, appEnv) || hasIntegration(one, isSet))
    // `listBillingProblems` refuses them there.
    .filter((one) => one !== "payments" || appEnv !== "self-hosted")
    .flatMap((integration): readonly SettingName[] => integrations[integration].needs);
  // The Host header is chosen by the caller, who could redirect reset links with it.
  if (appEnv !== "development") needed.push("APP_ORIGIN");
  // Nobody shall open a site to everybody by leaving out a setting.
  if (appEnv === "self-hosted") needed.push("SIGN_UP");
  // Servers of one's own need an address and no key.
  const alternatives: Partial<Record<SettingName, readonly SettingName[]>> = {
    LLM_API_KEY: ["LLM_BASE_URL"],
    SONIOX_API_KEY: ["DEEPGRAM_API_KEY", "DEEPGRAM_URL"],
  };
  const isSatisfied: IsSet = (name) => isSet(name) || (alternatives[name]?.some(isSet) ?? false);
  return [...needed, "GUEST_TICKET_SECRET" as const].filter((name) => !isSatisfied(name));
}

/** The binding of each rate limit; the limits are in wrangler.toml. */
export const rateLimitBindings = {
  credentials: "LIMIT_CREDENTIALS",
  mails: "LIMIT_MAILS",
  links: "LIMIT_LINKS",
  guestTickets: "LIMIT_GUEST_TICKETS",
  translations: "LIMIT_TRANSLATIONS",
  contexts: "LIMIT_CONTEXTS",
  summaries: "LIMIT_SUMMARIES",
  guestNetworks: "LIMIT_GUEST_NETWORKS",
  recordings: "LIMIT_RECORDINGS",
  readers: "LIMIT_READERS",
  streams: "LIMIT_STREAMS",
  paidStreams: "LIMIT_PAID_STREAMS",
  billing: "LIMIT_BILLING",
  writes: "LIMIT_WRITES",
  programs: "LIMIT_PROGRAMS",
  oauth: "LIMIT_OAUTH",
  remoteFiles: "LIMIT_REMOTE_FILES",
  unknownSecrets: "LIMIT_UNKNOWN_SECRETS",
} as const satisfies Record<keyof Services["limits"], string>;
export type RateLimitBinding = (typeof rateLimitBindings)[keyof typeof rateLimitBindings];
