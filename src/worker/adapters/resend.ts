import { z } from "zod";
import type { Mail, Mailer } from "#server/ports.ts";

const answerTimeoutMs = 5_000;
const attempts = 2;

/** A mail that the service did not accept. Holds only name and status, because the message may repeat the address. */
class MailError extends Error {
  override readonly name = "MailError";
}

interface Refusal {
  name: string;
  /** Of the answer; null if none came in time. */
  status: number | null;
}

/** The part of the service's refusals that is used. */
const refusalSchema = z
  .object({ name: z.string().max(100).catch("unknown") })
  .catch({ name: "unknown" });

export interface MailSettings {
  baseUrl: string;
  apiKey: string;
  /** The sender. */
  from: string;
}

/** Resend, or whatever speaks its protocol at `baseUrl`. */
export function connectMailer({ baseUrl, apiKey, from }: MailSettings): Mailer {
  /** Null: the mail was accepted. */
  async function attempt({ idempotencyKey, ...mail }: Mail): Promise<Refusal | null> {
    const response = await fetch(`${baseUrl}/emails`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
        // Resend refuses calls without one, and workerd sends none by itself.
        "user-agent": "Dualect",
      },
      body: JSON.stringify({ from, ...mail }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    if (response.ok) {
      await response.body?.cancel();
      return null;
    }
    const { name } = refusalSchema.parse(await response.json().catch(() => ({})));
    return { name, status: response.status };
  }

  return {
    async send(mail) {
      let refusal: Refusal | null = null;
      for (let count = 0; count < attempts; count += 1) {
        refusal = await attempt(mail).catch(() => ({ name: "no answer", status: null }));
        if (refusal === null) return;
        // The idempotency key makes a second attempt safe.
        if (refusal.status !== null && refusal.status < 500) break;
      }
      throw new MailError(`${refusal?.name}, status ${refusal?.status ?? "none"}`);
    },
  };
}
