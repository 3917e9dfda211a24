import type { UserChannelCalls } from "#server/ports.ts";
import { providerPace } from "#server/recording/room/provider-pace.ts";
import { type Recognizer, recognizers } from "#shared/engine-languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import type { RoomCalls, ShareRoomCalls } from "./adapters/durable-objects.ts";
import type { SpeechSettings } from "./adapters/speech-session.ts";
import { resolveBilling } from "./billing-env.ts";
import type { SiteMetrics, SpeechOpenings } from "./durable/site-objects.ts";
import { isLoopback, isPrivateHost } from "./private-network.ts";
import {
  createIsSet,
  defaultUrls,
  hasIntegration,
  type Integration,
  type RateLimitBinding,
  rateLimitBindings,
  type Variables,
} from "./settings.ts";
import { resolveTurnstile } from "./turnstile-env.ts";
import { readVariables } from "./variables.ts";

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
      SHARE_ROOM: DurableObjectNamespace<ShareRoomCalls>;
      SPEECH_OPENINGS: DurableObjectNamespace<SpeechOpenings>;
      SITE_METRICS: DurableObjectNamespace<SiteMetrics>;
      /** Reaches public addresses alone. Only a server of one's own has it: Cloudflare's network reaches no others. */
      PUBLIC_NETWORK?: Fetcher;
      /** Workers Analytics Engine; docs/operations.md says how to bind it. */
      EVENTS?: AnalyticsEngineDataset;
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

/** The limits of a standard account: streams at once, and streams opened in a minute. */
const soniox = { streams: 10, openings: 100 };
const deepgram = { streams: 50 };

/** How fast the stand-ins take sound, in times real time: tests have no hours. */
const standInPace = 100;

const standInSender = "Dualect <hello@dualect.test>";

/** The address of a mail's sender, which may have a name before it. */
const readAddress = (sender: string): string => /<([^>]+)>/.exec(sender)?.[1] ?? sender.trim();

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
  const unbound = listUnboundLimits(bindings);
  const { variables, problems } = readVariables(bindings);
  if (!variables || unbound.length > 0) throw new EnvironmentError([...problems, ...unbound]);
  const env = resolveEnv(variables);
  envCache.set(bindings, env);
  return env;
}

/** Without its binding a rate limit would have no effect, or fail at its first use. */
const listUnboundLimits = (bindings: Cloudflare.Env): string[] =>
  Object.values(rateLimitBindings)
    .filter((name) => typeof bindings[name]?.limit !== "function")
    .map((name) => `${name}: not bound`);

/**
 * The speech service. `local`: address of the embedded stack, whose stand-in takes the service's place;
 * null for the service itself. `streams`: concurrent streams; null for no limit.
 */
function resolveSpeech(
  v: Variables,
  local: string | null,
): SpeechSettings & { streams: number | null; openings: number | null } {
  const standIn = local?.replace(/^http/, "ws") ?? null;
  if (v.SPEECH_PROVIDER === "deepgram")
    return {
      service: "Deepgram",
      url: standIn ? `${standIn}/deepgram/v1/listen` : (v.DEEPGRAM_URL ?? defaultUrls.deepgram),
      apiKey: standIn ? "stand-in" : (v.DEEPGRAM_API_KEY ?? ""),
      model: v.DEEPGRAM_MODEL,
      hasFinalize: v.DEEPGRAM_FINALIZE,
      // The regional addresses of the service do not have it (November 2026).
      hasConfigure: standIn !== null || isGlobalDeepgram(v.DEEPGRAM_URL ?? defaultUrls.deepgram),
      streams: v.DEEPGRAM_STREAMS ?? (standIn ? null : deepgram.streams),
      openings: null,
    };
  return {
    service: "Soniox",
    url: standIn ? `${standIn}/soniox/transcribe-websocket` : (v.SONIOX_URL ?? defaultUrls.soniox),
    apiKey: standIn ? "stand-in" : (v.SONIOX_API_KEY ?? ""),
    endpointSensitivity: v.SONIOX_ENDPOINT_SENSITIVITY ?? null,
    streams: v.SONIOX_STREAMS ?? (standIn ? null : soniox.streams),
    openings: v.SONIOX_OPENINGS ?? (standIn ? null : soniox.openings),
  };
}

/** Which table of languages applies to the service, or to the service whose place a stand-in takes. */
function findRecognizer(speech: SpeechSettings, isStandIn: boolean): Recognizer {
  if (speech.service === "Soniox") return "soniox";
  // Servers of one's own run Whisper, whatever model they are asked for.
  if (!isStandIn && !isDeepgram(speech.url)) return "whisper";
  const model = /^(nova-[23])(?:-general)?$/.exec(speech.model)?.[1];
  return recognizers.find((one) => one === model) ?? "english";
}

const isDeepgram = (url: string): boolean => /(^|\.)deepgram\.com$/.test(new URL(url).hostname);

const isGlobalDeepgram = (url: string): boolean => new URL(url).hostname === "api.deepgram.com";

/** How the page names the service at `url`, which is no stand-in. */
function nameSpeechService(
  { service, url }: SpeechSettings,
  v: Variables,
): SiteInfo["speechService"] {
  const { hostname } = new URL(url);
  if (service === "Soniox" || isDeepgram(url)) return service;
  // The embedded stack, and the site beside it, answer this machine alone.
  const isLocal = v.LOCAL_STACK_URL !== undefined && isLoopback(hostname);
  return isLocal ? "localServer" : "ownServer";
}

function resolveEnv(v: Variables) {
  const local = v.LOCAL_STACK_URL?.replace(/\/$/, "") ?? "";
  const isMissing = (integration: Integration) => !hasIntegration(integration, createIsSet(v));
  const isStandIn = (integration: Integration) =>
    v.APP_ENV !== "self-hosted" && isMissing(integration);
  const signUp = v.SIGN_UP ?? "open";
  /** A site that is not for everybody is not for guests, unless a setting says so. */
  const guests = { minutes: signUp === "open" ? 30 : 0 };
  /** Wanted even where a service is configured. */
  const isDemoDefault = v.SPEECH === "demo";
  const speech = isDemoDefault || isStandIn("speech");
  const hasSpeech = v.APP_ENV !== "self-hosted" || !isMissing("speech");
  const speechSettings = resolveSpeech(v, speech ? local : null);
  const llm = isStandIn("llm");
  const mail = isStandIn("mail");
  const contextTokens = v.LLM_CONTEXT_TOKENS;
  const { stripe, billing, standIn: payments } = resolveBilling(v, local);
  return {
    appEnv: v.APP_ENV,
    database: {
      url: v.DATABASE_URL ?? `${local.replace("http://", "postgresql://dualect:local@")}/dualect`,
    },
    speech: speechSettings,
    recognizer: findRecognizer(speechSettings, speech),
    /** Without a language model, only the speech service translates. */
    translationPace: v.TRANSLATION_PACE ?? (llm && !speech ? "fast" : "careful"),
    speechPace: v.SPEECH_PACE ?? (speech ? standInPace : providerPace),
    /** Null: the site has none. */
    speechService: hasSpeech
      ? speech
        ? speechSettings.service
        : nameSpeechService(speechSettings, v)
      : null,
    hasModel: v.APP_ENV !== "self-hosted" || !isMissing("llm"),
    llm: llm
      ? {
          baseUrl: `${local}/llm/v1`,
          apiKey: "stand-in",
          model: "stand-in",
          contextTokens,
          isDemo: true,
        }
      : {
          baseUrl: v.LLM_BASE_URL ?? defaultUrls.llm,
          isOwn: isPrivateHost(new URL(v.LLM_BASE_URL ?? defaultUrls.llm).hostname),
          apiKey: v.LLM_API_KEY ?? "none",
          model: v.LLM_MODEL ?? "",
          contextTokens,
        },
    mail: mail
      ? { baseUrl: `${local}/mail`, apiKey: "stand-in", from: standInSender }
      : {
          baseUrl: v.RESEND_URL ?? defaultUrls.mail,
          apiKey: v.RESEND_API_KEY ?? "",
          from: v.MAIL_FROM ?? "",
        },
    stripe,
    billing,
    /** Null if the site uses no challenge. */
    turnstile: resolveTurnstile(v, local),
    guestMinutesPerDay: v.GUEST_MINUTES_PER_DAY ?? guests.minutes,
    signUp: {
      rule: signUp,
      domains: v.SIGN_UP_DOMAINS ?? [],
      /** In which the reverse proxy says who is signed on at the organisation. */
      signOnHeader: v.SIGN_ON_HEADER ?? null,
    },
    dailyLimits: { accounts: v.ACCOUNTS_PER_DAY, mails: v.MAILS_PER_DAY },
    modelBudget: { guests: v.MODEL_GUEST_CHARACTERS_PER_DAY, site: v.MODEL_CHARACTERS_PER_DAY },
    /** Origin of links in mails; null in development, where the request's origin is used. */
    appOrigin: v.APP_ORIGIN ?? null,
    /** Address that security.txt names. */
    securityContact: v.SECURITY_CONTACT ?? `mailto:${readAddress(v.MAIL_FROM ?? standInSender)}`,
    /** Also signs known devices and hashes network addresses. */
    guestTicketSecret: v.GUEST_TICKET_SECRET,
    /** What Prometheus sends; null if nobody may read the metrics. */
    metricsSecret: v.METRICS_SECRET ?? null,
    /** Which services are replaced by a stand-in. */
    standIns: { speech, llm, mail, payments },
    /** The demo voice recognises where nobody has chosen an engine; always false in production. */
    isDemoDefault,
    /** How addresses of the embedded stack's stand-in for other sites begin; null: there is none. */
    remoteStandIn: v.APP_ENV === "development" && local !== "" ? `${local}/elsewhere/` : null,
    /** Page of the embedded outbox; null if mails are really sent. */
    outboxUrl: mail ? `${local}/mail/` : null,
  };
}
