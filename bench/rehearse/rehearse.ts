import { createDeepgramStandIn } from "#local/deepgram/stand-in.ts";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import { createMailStandIn } from "#local/mail/stand-in.ts";
import { createSonioxStandIn } from "#local/soniox/stand-in.ts";
import { serveStandIns } from "#local/stand-in.ts";
import { standInSecretKey } from "#local/stripe/api.ts";
import { createStripeStandIn } from "#local/stripe/stand-in.ts";
import { isSandboxKey } from "#worker/billing-env.ts";
import { stripeIdNames } from "#worker/settings.ts";
import { deepgram } from "./deepgram.ts";
import { compareExchanges, type Exchange } from "./exchange.ts";
import { mail } from "./mail.ts";
import { model } from "./model.ts";
import { redact } from "./redact.ts";
import type { Rehearsal } from "./report.ts";
import type { Cost, RehearsedService, Side } from "./service.ts";
import { readServiceSettings, type Settings, type Variables } from "./settings.ts";
import { soniox } from "./soniox.ts";
import type { Sound } from "./sound.ts";
import { stripe } from "./stripe.ts";

const services: readonly RehearsedService[] = [soniox, deepgram, model, stripe, mail];

/** These stand-ins wait so long for sound; the others and the services wait 10 to 20 s. */
const idleMs = 300;

export interface StandIns {
  /** All that are compared. */
  url: string;
  /** Those of speech, for streams without sound. */
  idleUrl: string;
  close(): Promise<void>;
}

export async function serveAll(): Promise<StandIns> {
  const all = await serveStandIns(
    [
      createSonioxStandIn(),
      createDeepgramStandIn(),
      createLlmStandIn(),
      createMailStandIn(),
      createStripeStandIn(),
    ],
    0,
  );
  const idle = await serveStandIns(
    [createSonioxStandIn({ idleMs }), createDeepgramStandIn({ idleMs })],
    0,
  );
  const close = async () => {
    await all.close();
    await idle.close();
  };
  return { url: all.url, idleUrl: idle.url, close };
}

/** Settings with which stand-ins at `url` take the place of the services: for a rehearsal without keys. */
export function createStandInVariables(url: string): Variables {
  const ids = stripeIdNames.map((name) => {
    const [, tier, interval] = name.toLowerCase().split("_");
    return [name, name.endsWith("PRODUCT") ? `prod_${tier}` : `price_${tier}_${interval}`] as const;
  });
  const socket = url.replace(/^http/, "ws");
  return {
    SONIOX_API_KEY: "rehearsal-key-of-soniox",
    SONIOX_URL: `${socket}/soniox/transcribe-websocket`,
    DEEPGRAM_API_KEY: "rehearsal-key-of-deepgram",
    DEEPGRAM_URL: `${socket}/deepgram/v1/listen`,
    LLM_API_KEY: "rehearsal-key-of-a-model",
    LLM_BASE_URL: `${url}/llm/v1`,
    LLM_MODEL: "a-model",
    RESEND_API_KEY: "rehearsal-key-of-resend",
    RESEND_URL: `${url}/mail`,
    MAIL_FROM: "Dualect <rehearsal@example.org>",
    STRIPE_SECRET_KEY: standInSecretKey,
    STRIPE_URL: url,
    ...Object.fromEntries(ids),
  };
}

/** One service with what it will cost, or why it is skipped. */
export type Plan = { service: RehearsedService } & (
  | { side: Side; cost: Cost; skipped: null }
  | { side: null; cost: null; skipped: string }
);

/**
 * What will be asked of which service, with `variables` as the worker has them.
 *
 * @param standIns those that `variables` name in place of the services, or null
 * @throws Error for a key of Stripe that moves money
 */
export function planRehearsals(
  variables: Variables,
  { seconds, standIns }: { seconds: number; standIns: StandIns | null },
): Plan[] {
  const { STRIPE_SECRET_KEY: stripeKey } = variables;
  if (stripeKey && !isSandboxKey(stripeKey))
    throw new Error(
      "STRIPE_SECRET_KEY is a live key, with which a rehearsal would move money. Use a key of the sandbox (sk_test_…).",
    );
  return services.map((service) => {
    const missing = service.findMissing((name) => Boolean(variables[name]));
    if (missing !== null)
      return { service, side: null, cost: null, skipped: `${missing} is not set` };
    const own = service.settings.flatMap((name) =>
      variables[name] ? [[name, variables[name]] as const] : [],
    );
    try {
      const side = createSide(readServiceSettings(Object.fromEntries(own)), standIns);
      const cost = service.estimateCost(side.settings, seconds);
      return { service, side, cost, skipped: null };
    } catch (error) {
      const skipped = error instanceof Error ? error.message : String(error);
      return { service, side: null, cost: null, skipped };
    }
  });
}

function createSide(settings: Settings, standIns: StandIns | null): Side {
  return {
    settings,
    isStandIn: standIns !== null,
    pace: standIns === null ? 1 : Number.POSITIVE_INFINITY,
    toIdleUrl(url) {
      if (standIns === null) return url;
      const address = new URL(url);
      address.port = new URL(standIns.idleUrl).port;
      return address.href;
    },
    async control(prefix, body) {
      if (standIns === null) return;
      const request = { method: "POST", body: JSON.stringify(body) };
      const { status } = await fetch(`${standIns.url}${prefix}control`, request);
      if (status !== 200) throw new Error(`The stand-in answered ${status}`);
    },
  };
}

/** The conversations with the stand-in of `service`. */
export function runStandIn(
  service: RehearsedService,
  standIns: StandIns,
  sound: Sound,
): Promise<Exchange[]> {
  const settings = readServiceSettings(createStandInVariables(standIns.url));
  return service.run(createSide(settings, standIns), sound);
}

/** Has the planned conversations, and the same ones with the stand-in. Never throws. */
export async function rehearse(
  { service, side, skipped }: Plan,
  { standIns, sound, variables }: { standIns: StandIns; sound: Sound; variables: Variables },
): Promise<Rehearsal & { standIn: readonly Exchange[] }> {
  const nothing = { service: service.name, exchanges: [], differences: [], standIn: [] };
  if (side === null) return { ...nothing, skipped };
  try {
    const standIn = await runStandIn(service, standIns, sound);
    const exchanges = await service.run(side, sound);
    const differences = compareExchanges(standIn, exchanges);
    return { service: service.name, skipped: null, exchanges, differences, standIn };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...nothing, skipped: `it failed (${redact(message, variables)})`, hasFailed: true };
  }
}
