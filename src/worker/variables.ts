import { listBillingProblems } from "./billing-env.ts";
import { isLoopback, isPrivateHost } from "./private-network.ts";
import {
  createIsSet,
  hasIntegration,
  listMissingSettings,
  type SettingName,
  type Variables,
  variablesSchema,
} from "./settings.ts";
import { listTurnstileProblems } from "./turnstile-env.ts";

/** Services with an address that the operator chooses. */
const serviceUrls = [
  "SONIOX_URL",
  "DEEPGRAM_URL",
  "LLM_BASE_URL",
  "RESEND_URL",
  "STRIPE_URL",
] as const;

/** The variables in `given`, or what is wrong with them: names and rules, never values. */
export function readVariables(given: object): { variables: Variables | null; problems: string[] } {
  const raw = given as Partial<Record<SettingName, unknown>>;
  const { success, data, error } = variablesSchema.safeParse(given);
  const problems = listMissing(raw);
  if (success) problems.push(...listProblems(data));
  else
    for (const { path, message } of error.issues) {
      const name = path[0] as SettingName;
      if (raw[name] !== undefined) problems.push(`${name}: ${message}`);
    }
  return { variables: success && problems.length === 0 ? data : null, problems };
}

function listMissing(raw: Partial<Record<SettingName, unknown>>): string[] {
  const appEnv = variablesSchema.shape.APP_ENV.safeParse(raw.APP_ENV).data ?? "production";
  const isOtherSpeech = (name: string) =>
    raw.SPEECH_PROVIDER === "deepgram" && name === "SONIOX_API_KEY";
  const isSet = (name: SettingName) => raw[name] !== undefined || isOtherSpeech(name);
  return listMissingSettings(isSet, appEnv).map((name) => `${name}: missing`);
}

function listProblems(v: Variables): string[] {
  const isPublic = v.APP_ENV !== "development";
  const problems = [
    ...listSpeechProblems(v),
    ...listBillingProblems(v),
    ...listTurnstileProblems(v),
    ...listSignUpProblems(v),
  ];
  for (const name of ["LOCAL_STACK_URL", "SPEECH"] as const)
    if (isPublic && v[name]) problems.push(`${name}: not allowed in production`);
  if (v.SPEECH && !isPublic && !v.LOCAL_STACK_URL)
    problems.push("SPEECH: the demo is part of the embedded stack (LOCAL_STACK_URL)");
  if (isPublic) problems.push(...listUnencryptedUrls(v));
  return problems;
}

/** The chosen service must be configured, and not only the other one. */
function listSpeechProblems(v: Variables): string[] {
  const hasDeepgram = v.DEEPGRAM_API_KEY !== undefined || v.DEEPGRAM_URL !== undefined;
  const isDeepgramChosen = v.SPEECH_PROVIDER === "deepgram";
  if (hasDeepgram && !isDeepgramChosen && v.SONIOX_API_KEY === undefined)
    return ["SPEECH_PROVIDER: must be deepgram to use DEEPGRAM_API_KEY and DEEPGRAM_URL"];
  const isStandIn = v.LOCAL_STACK_URL !== undefined && !hasIntegration("speech", createIsSet(v));
  return !isDeepgramChosen || hasDeepgram || isStandIn ? [] : ["DEEPGRAM_API_KEY: missing"];
}

function listSignUpProblems(v: Variables): string[] {
  const problems: string[] = [];
  if (v.SIGN_UP === "domain" && !v.SIGN_UP_DOMAINS) problems.push("SIGN_UP_DOMAINS: missing");
  if (v.SIGN_UP === "sign-on" && !v.SIGN_ON_HEADER) problems.push("SIGN_ON_HEADER: missing");
  // `npm run invite` reads the settings of a self-hosted site.
  if (v.SIGN_UP === "invitation" && v.APP_ENV === "production")
    problems.push("SIGN_UP: invitation is for self-hosted sites alone");
  // Elsewhere no reverse proxy stands before the site, so every caller could send the header.
  if (v.SIGN_ON_HEADER && v.APP_ENV !== "self-hosted")
    problems.push("SIGN_ON_HEADER: for self-hosted sites alone");
  return problems;
}

/** These connections carry passwords, keys and transcripts. */
function listUnencryptedUrls(v: Variables): string[] {
  const isPlain = (url: string) => /^(http|ws):/i.test(url);
  // What a self-hosted site asks on its own machine leaves no network.
  const isAllowed = (url: string) =>
    v.ALLOW_PRIVATE_NETWORK
      ? isPrivateHost(new URL(url).hostname)
      : v.APP_ENV === "self-hosted" && isLoopback(new URL(url).hostname);
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
