import type { Variables } from "./settings.ts";

/** Where Cloudflare serves the widget's script and verifies its tokens. */
const serviceUrl = "https://challenges.cloudflare.com/turnstile/v0";

type Keys = Pick<Variables, "TURNSTILE_SITE_KEY" | "TURNSTILE_SECRET_KEY">;

export interface TurnstileSettings {
  siteKey: string;
  secretKey: string;
  /** Address of the service, or of its stand-in. */
  url: string;
  /** Where the page finds the widget. */
  scriptUrl: string;
  isStandIn: boolean;
}

/** The public test keys of Cloudflare's documentation, whose result is fixed. */
const isTestKey = (key: string) => /^[123]x0+[A-Z]{2}$/.test(key);

export function listTurnstileProblems(v: Keys, { production }: { production: boolean }): string[] {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey } = v;
  const problems: string[] = [];
  if (siteKey && !secretKey) problems.push("TURNSTILE_SECRET_KEY: missing");
  if (secretKey && !siteKey) problems.push("TURNSTILE_SITE_KEY: missing");
  if (production) {
    for (const [name, key] of Object.entries({
      TURNSTILE_SITE_KEY: siteKey,
      TURNSTILE_SECRET_KEY: secretKey,
    }))
      if (key && isTestKey(key)) problems.push(`${name}: a test key is not allowed in production`);
  }
  return problems;
}

/** @param local address of the embedded stack, which serves Cloudflare's test keys; "" without one. */
export function resolveTurnstile(v: Keys, local: string): TurnstileSettings | null {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey } = v;
  if (!siteKey || !secretKey) return null;
  const isStandIn = local !== "" && isTestKey(siteKey);
  return {
    siteKey,
    secretKey,
    isStandIn,
    url: isStandIn ? `${local}/turnstile/v0` : serviceUrl,
    // The page may load scripts from its own origin and from Cloudflare alone.
    scriptUrl: isStandIn ? "/api/turnstile/api.js" : `${serviceUrl}/api.js?render=explicit`,
  };
}
