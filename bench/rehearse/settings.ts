import { resolveBilling } from "#worker/billing-env.ts";
import {
  defaultUrls,
  listMissingSettings,
  type SettingName,
  variablesSchema,
} from "#worker/settings.ts";

/** Names of the worker's settings, with their values. */
export type Variables = Readonly<Partial<Record<SettingName, string>>>;

/** Addresses and keys of the services, or of the stand-ins in their place. */
export type Settings = ReturnType<typeof readServiceSettings>;

const ownSettings = {
  GUEST_TICKET_SECRET: "no tickets are issued in a rehearsal",
  BILLING_MODE: "test",
};

/**
 * Reads the settings of one service, with the worker's names, defaults and rules.
 *
 * @throws Error that names what is missing or invalid, and no values
 */
export function readServiceSettings(variables: Variables) {
  const { STRIPE_SECRET_KEY: stripeKey } = variables;
  const parsed = variablesSchema.safeParse({
    // The worker verifies webhooks with it, and none come here.
    ...(stripeKey && { STRIPE_WEBHOOK_SECRET: "whsec_rehearsal" }),
    ...variables,
    ...ownSettings,
  });
  if (!parsed.success)
    throw new Error(
      parsed.error.issues.map(({ path, code }) => `${path.join(".")}: ${code}`).join("; "),
    );
  const v = parsed.data;
  // As beside the embedded stack: what is not set at all is not missing.
  const missing = listMissingSettings(
    (name) => v[name] !== undefined || name === "LOCAL_STACK_URL" || isOtherSpeech(name),
    "development",
  );
  if (missing.length > 0) throw new Error(missing.map((name) => `${name}: missing`).join("; "));
  const { stripe, billing } = resolveBilling(v, "");
  return {
    soniox: {
      url: v.SONIOX_URL ?? defaultUrls.soniox,
      apiKey: v.SONIOX_API_KEY ?? "",
      endpointSensitivity: v.SONIOX_ENDPOINT_SENSITIVITY ?? null,
    },
    deepgram: {
      url: v.DEEPGRAM_URL ?? defaultUrls.deepgram,
      apiKey: v.DEEPGRAM_API_KEY ?? "",
      model: v.DEEPGRAM_MODEL,
    },
    llm: {
      baseUrl: v.LLM_BASE_URL ?? defaultUrls.llm,
      apiKey: v.LLM_API_KEY ?? "none",
      model: v.LLM_MODEL ?? "",
      contextTokens: v.LLM_CONTEXT_TOKENS,
    },
    mail: {
      baseUrl: v.RESEND_URL ?? defaultUrls.mail,
      apiKey: v.RESEND_API_KEY ?? "",
      from: v.MAIL_FROM ?? "",
    },
    stripe,
    prices: billing.prices,
  };
}

/** Deepgram is asked without Soniox's key. */
const isOtherSpeech = (name: SettingName): boolean => name === "SONIOX_API_KEY";
