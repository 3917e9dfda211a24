import { createHmac } from "node:crypto";

/**
 * The key of a webhook as Standard Webhooks writes it. It is derived, so that a copy of the database signs nothing: who
 * replaces `siteSecret` replaces all keys.
 */
export const deriveWebhookKey = (siteSecret: string, webhookId: string): string =>
  `whsec_${createHmac("sha256", siteSecret).update(`webhook ${webhookId}`).digest("base64")}`;

/**
 * The headers of a message by the specification of Standard Webhooks.
 *
 * @param key as `deriveWebhookKey` returns it.
 * @param id the same for each attempt to send the message.
 */
export function signMessage(
  key: string,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = createHmac("sha256", Buffer.from(key.replace(/^whsec_/, ""), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
