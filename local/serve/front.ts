import { join } from "node:path";

/** The worker that listens for the reverse proxy and hands its requests on to the worker `product`. */
export const createFront = (options: {
  host: string;
  port: number;
  /** Of the site, `https://…`. */
  origin: string;
  /** What the reverse proxy sends as `Dualect-Proxy`. */
  secret: string;
}) => ({
  name: "front",
  compatibilityDate: "2026-10-23",
  modules: [{ type: "ESModule" as const, path: join(import.meta.dirname, "front.mjs") }],
  bindings: { PROXY_SECRET: options.secret, SITE_HOST: new URL(options.origin).host },
  serviceBindings: { PRODUCT: "dualect" },
  unsafeDirectSockets: [{ host: options.host, port: options.port }],
});
