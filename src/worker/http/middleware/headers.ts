import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "./identity.ts";

const own = "'self'";
const none = "'none'";
/** Turnstile's widget. Always allowed, as in the static files' policy, which does not depend on the site. */
const challenges = "https://challenges.cloudflare.com";

/**
 * The same policy as the page's own, which public/_headers sends with the static files, except for what only pages
 * need to run models: WebAssembly, and the source of models, which the build adds.
 */
const secure = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: [own],
    scriptSrc: [own, challenges],
    styleSrc: [own, "'unsafe-inline'"],
    imgSrc: [own, "data:", "blob:"],
    fontSrc: [own],
    connectSrc: [own],
    frameSrc: [challenges],
    mediaSrc: [own, "blob:"],
    workerSrc: [own, "blob:"],
    objectSrc: [none],
    baseUri: [none],
    formAction: [own],
    frameAncestors: [none],
  },
  strictTransportSecurity: "max-age=63072000; includeSubDomains",
  referrerPolicy: "strict-origin-when-cross-origin",
  xFrameOptions: "DENY",
  permissionsPolicy: {
    microphone: ["self"],
    camera: [],
    geolocation: [],
    displayCapture: ["self"],
    payment: [],
    usb: [],
  },
});

/**
 * Sets the headers of every response, except for upgrades, whose response cannot be copied. A policy that the route has set
 * stays: it is stricter.
 */
export const responseHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status === 101) return;
  // The headers of a response from a Durable Object are immutable.
  c.res = new Response(c.res.body, c.res);
  const policy = c.res.headers.get("content-security-policy");
  await secure(c, async () => {});
  if (policy !== null) c.res.headers.set("content-security-policy", policy);
  c.res.headers.set("x-request-id", c.get("requestId"));
  if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
});
