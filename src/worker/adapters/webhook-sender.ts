import type { WebhookSender } from "#server/ports.ts";

const timeoutMs = 10_000;

/** Sends messages of webhooks to addresses that people have chosen. */
export const webhookSender: WebhookSender = {
  async post(url, { headers, body }) {
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
