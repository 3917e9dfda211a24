import { ExpiringSet } from "#server/expiring-set.ts";
import type { WebhookSender } from "#server/ports.ts";
import { isWebhookUrl } from "#server/programs/webhook-url.ts";

const timeoutMs = 10_000;
/** A name that leads to public addresses is not resolved again for so long; a run sends many messages to one. */
const checkedForMs = 60_000;
const checkedMax = 1_000;

interface Options {
  /** Null where it is not known. */
  siteOrigin: string | null;
  /** As `leadsToPublic`; null where names are not resolved, in development. */
  leadsToPublic: ((host: string) => Promise<boolean | null>) | null;
  now?: () => number;
}

/** Sends messages of webhooks to addresses that people have chosen. */
export function createWebhookSender({
  siteOrigin,
  leadsToPublic,
  now = Date.now,
}: Options): WebhookSender {
  const checked = new ExpiringSet(checkedForMs, checkedMax);

  async function isAllowed(url: string): Promise<boolean | null> {
    if (!isWebhookUrl(url, siteOrigin)) return false;
    const { hostname } = new URL(url);
    if (leadsToPublic === null || checked.has(hostname, now())) return true;
    const isPublic = await leadsToPublic(hostname);
    if (isPublic) checked.add(hostname, now());
    return isPublic;
  }

  return {
    isAllowed,

    async post(url, { headers, body }) {
      if (!(await isAllowed(url))) return null;
      try {
        const response = await fetch(url, {
          method: "POST",
          headers: {
            ...headers,
            "content-type": "application/json",
            "user-agent": "Dualect-Webhooks",
          },
          body,
          // Where a redirect leads, nobody has checked.
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        // Nobody reads what it says.
        await response.body?.cancel();
        return response.status;
      } catch {
        return null;
      }
    },
  };
}
