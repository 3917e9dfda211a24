import type { WebhookSender } from "#server/ports.ts";
import { isWebhookUrl } from "#server/programs/webhook-url.ts";
import type { IsPublicName } from "./public-names.ts";

const timeoutMs = 10_000;

interface Options {
  /** Null where it is not known. */
  siteOrigin: string | null;
  isPublicName: IsPublicName;
}

/** Sends messages of webhooks to addresses that people have chosen. */
export function createWebhookSender({ siteOrigin, isPublicName }: Options): WebhookSender {
  const isAllowed = async (url: string): Promise<boolean | null> =>
    isWebhookUrl(url, siteOrigin) && isPublicName(new URL(url).hostname);

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
