import type { Variables } from "./settings.ts";

/** Where Cloudflare serves the widget's script and verifies its tokens. */
const serviceUrl = "https://challenges.cloudflare.com/turnstile/v0";

/** The public test keys of Cloudflare's documentation, whose result is fixed. */
const isTestKey = (key: string) => /^[123]x0+[A-Z]{2}$/.test(key);

const keyNames = ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"] as const;

export function listTurnstileProblems(v: Variables): string[] {
  const configured = keyNames.filter((name) => v[name]);
  const missing = configured.length === 1 ? keyNames.filter((name) => !v[name]) : [];
  const isForbidden = (name: (typeof keyNames)[number]) =>
    v.APP_ENV !== "development" && isTestKey(v[name] ?? "");
  return [
    ...missing.map((name) => `${name}: missing`),
    ...configured
      .filter(isForbidden)
      .map((name) => `${name}: a test key is not allowed in production`),
  ];
}

/**
 * The challenge's keys and addresses; null if the site uses no challenge. `local` is the address of the
 * embedded stack, which serves Cloudflare's test keys; empty in production.
 */
export function resolveTurnstile(v: Variables, local: string) {
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
